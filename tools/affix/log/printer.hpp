// SPDX-License-Identifier: MIT
// Prints entries for people and programs. Secrets have been removed from its input.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

enum class Style : std::uint8_t {
  Line,     ///< One line each, the message unchanged with `|` between its fields.
  Names,    ///< One line each, fields and values by name.
  Fields,   ///< One line per field.
  Columns,  ///< One line each, chosen fields in aligned columns.
  Json,     ///< One JSON object a line.
  Raw,      ///< Only the messages' bytes.
};

struct PrintOptions {
  Style style = Style::Line;
  bool timestamps = true;
  bool colours = false;
  std::vector<std::uint32_t> columns{};  ///< Tags for Style::Columns; empty: those of orders.
};

/// An entry, its parsed message and names, and a remark such as a latency.
struct Shown {
  const Entry& entry;
  const wire::MessageView& message;  ///< Without fields if the entry has none.
  const MessageNames& names;         ///< Set to the message.
  std::string_view remark;
};

class Printer {
 public:
  Printer() = default;
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;
  virtual ~Printer() = default;

  /// Text before the first entry; empty for most styles.
  [[nodiscard]] virtual std::string heading() const { return {}; }

  /// The entry's text with its line end. Empty if the style does not show it.
  [[nodiscard]] virtual std::string text_of(const Shown& shown) const = 0;
};

}  // namespace affix::inline v0::tools::log
