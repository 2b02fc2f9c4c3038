// SPDX-License-Identifier: MIT
// Styles for people: lines, names, fields and columns.
#include "log/print_styles.hpp"

#include "log/json_printer.hpp"
#include "log/record_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::string_view no_colour = "\x1B[0m";

std::string_view colour_of(const Shown& shown) noexcept {
  const wire::MsgType type = shown.message.type();
  const bool refused = type == wire::MsgType("3") || type == wire::MsgType("j") ||
                       type == wire::MsgType("9") || shown.message.find(39) == "8";
  if (refused) {
    return "\x1B[31m";
  }
  if (shown.entry.kind == EntryKind::Event || shown.entry.kind == EntryKind::Resent) {
    return "\x1B[33m";
  }
  return shown.entry.direction == Direction::Out  ? "\x1B[36m"
         : shown.entry.direction == Direction::In ? "\x1B[32m"
                                                  : "";
}

/// Common parts of the styles for people.
class LinePrinter : public Printer {
 public:
  explicit LinePrinter(PrintOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string text_of(const Shown& shown) const override {
    std::string text = painted(shown, head(shown) + tail_text(shown.entry));
    if (shown.entry.is_message()) {
      text += ' ' + body(shown);
    } else if (shown.entry.message_omitted) {
      text += " (message not kept)";
    } else if (!shown.entry.bytes.empty()) {
      text += ' ' + readable(shown.entry.bytes);
    }
    return text + '\n';
  }

 protected:
  [[nodiscard]] virtual std::string body(const Shown& shown) const {
    return readable(shown.entry.bytes);
  }

  /// "SESSION TIME DIR NUMBER" and the remark.
  [[nodiscard]] std::string head(const Shown& shown) const {
    std::string text(shown.entry.session);
    if (options_.timestamps) {
      text += ' ' + (shown.entry.utc_ns != 0 ? time_text(shown.entry.utc_ns)
                                             : std::string(time_width, '-'));
    }
    text += ' ';
    text += direction_text(shown.entry);
    text += ' ' + std::to_string(shown.entry.sequence);
    if (!shown.remark.empty()) {
      text += ' ';
      text += shown.remark;
    }
    return text;
  }

  [[nodiscard]] std::string painted(const Shown& shown, std::string text) const {
    const std::string_view colour = options_.colours ? colour_of(shown) : "";
    if (!colour.empty()) {
      text.insert(0, colour);
      text += no_colour;
    }
    return text;
  }

  PrintOptions options_;
};

class NamesPrinter final : public LinePrinter {
 public:
  using LinePrinter::LinePrinter;

 private:
  [[nodiscard]] std::string body(const Shown& shown) const override {
    std::string text;
    for (const wire::Field field : shown.message) {
      const std::string_view name = shown.names.field(field.tag);
      const std::string_view meaning = shown.names.value(field.tag, field.value);
      text += name.empty() ? std::to_string(field.tag) : std::string(name);
      text += '=';
      text += readable(meaning.empty() ? field.value : meaning);
      text += '|';
    }
    return text;
  }
};

class FieldsPrinter final : public LinePrinter {
 public:
  using LinePrinter::LinePrinter;

  [[nodiscard]] std::string text_of(const Shown& shown) const override {
    if (!shown.entry.is_message()) {
      return LinePrinter::text_of(shown);
    }
    std::string line = head(shown) + ' ';
    line += shown.names.type();
    return painted(shown, std::move(line)) + '\n' + field_lines(shown.message, shown.names);
  }
};

/// Columns for orders: ClOrdID, OrigClOrdID, OrderID, Symbol, Side, OrderQty, Price, OrdStatus,
/// LastQty, LastPx, Text.
constexpr std::array<std::uint32_t, 11> order_columns{11, 41, 37, 55, 54, 38, 44, 39, 32, 31, 58};
constexpr std::size_t type_width = 24;

class ColumnsPrinter final : public LinePrinter {
 public:
  explicit ColumnsPrinter(PrintOptions options) : LinePrinter(std::move(options)) {
    if (options_.columns.empty()) {
      options_.columns.assign(order_columns.begin(), order_columns.end());
    }
  }

  [[nodiscard]] std::string heading() const override {
    std::string text = options_.timestamps ? padded("time", time_width) + ' ' : std::string();
    text += "dir " + padded("number", number_width) + ' ' + padded("type", type_width);
    for (const std::uint32_t tag : options_.columns) {
      text += ' ' + padded(std::to_string(tag), column_width);
    }
    return text + " session\n";
  }

  [[nodiscard]] std::string text_of(const Shown& shown) const override {
    if (!shown.entry.is_message()) {
      return LinePrinter::text_of(shown);
    }
    std::string text;
    if (options_.timestamps) {
      text +=
          (shown.entry.utc_ns != 0 ? time_text(shown.entry.utc_ns) : std::string(time_width, '-')) +
          ' ';
    }
    text += direction_text(shown.entry);
    text += ' ' + padded(std::to_string(shown.entry.sequence), number_width) + ' ';
    const std::string_view name = shown.names.type();
    text += padded(name.empty() ? readable(shown.message.find(35).value_or("")) : std::string(name),
                   type_width);
    for (const std::uint32_t tag : options_.columns) {
      const auto value = shown.message.find(tag);
      const std::string_view meaning = value ? shown.names.value(tag, *value) : "";
      text += ' ' + padded(readable(meaning.empty() ? value.value_or("") : meaning), column_width);
    }
    text += ' ';
    text += shown.entry.session;
    if (!shown.remark.empty()) {
      text += ' ';
      text += shown.remark;
    }
    return painted(shown, std::move(text)) + '\n';
  }

 private:
  static constexpr std::size_t column_width = 12;
  static constexpr std::size_t number_width = 8;

  [[nodiscard]] static std::string padded(std::string text, std::size_t width) {
    text.append(text.size() < width ? width - text.size() : 0, ' ');
    return text;
  }
};

class RawPrinter final : public Printer {
 public:
  [[nodiscard]] std::string text_of(const Shown& shown) const override {
    return shown.entry.is_message() ? std::string(shown.entry.bytes) : std::string();
  }
};

}  // namespace

std::unique_ptr<Printer> make_printer(const PrintOptions& options) {
  switch (options.style) {
    case Style::Line:
      return std::make_unique<LinePrinter>(options);
    case Style::Names:
      return std::make_unique<NamesPrinter>(options);
    case Style::Fields:
      return std::make_unique<FieldsPrinter>(options);
    case Style::Columns:
      return std::make_unique<ColumnsPrinter>(options);
    case Style::Json:
      return make_json_printer(options);
    case Style::Raw:
      return std::make_unique<RawPrinter>();
  }
  return nullptr;
}

}  // namespace affix::inline v0::tools::log
