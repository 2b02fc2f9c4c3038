// SPDX-License-Identifier: MIT
// Entries as people and programs read them. What comes here has no secrets any more.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

enum class Style : std::uint8_t {
  Line,     ///< A line each, the message as it is with `|` between its fields.
  Names,    ///< A line each, fields and values by name.
  Fields,   ///< A line per field.
  Columns,  ///< A line each, chosen fields under one another.
  Json,     ///< A JSON object a line.
  Raw,      ///< The messages' bytes and nothing else.
};

struct PrintOptions {
  Style style = Style::Line;
  bool timestamps = true;
  bool colours = false;
  std::vector<std::uint32_t> columns{};  ///< Tags for Style::Columns; empty: those of orders.
};

/// An entry, what its message is read with, and a remark for it such as a latency.
struct Shown {
  const Entry& entry;
  const wire::MessageView& message;  ///< Without fields when the entry has none.
  const MessageNames& names;         ///< Turned to the message.
  std::string_view remark;
};

class Printer {
 public:
  Printer() = default;
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;
  virtual ~Printer() = default;

  /// What stands before everything; empty for most styles.
  [[nodiscard]] virtual std::string heading() const { return {}; }

  /// The entry's text with its line end. Empty when the style does not show it.
  [[nodiscard]] virtual std::string text_of(const Shown& shown) const = 0;
};

[[nodiscard]] std::unique_ptr<Printer> make_printer(const PrintOptions& options);

}  // namespace affix::inline v0::tools::log
