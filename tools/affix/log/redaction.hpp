// SPDX-License-Identifier: MIT
// Removes passwords from everything that this program shows, compares or writes.
#pragma once

#include "affix/wire/index.hpp"

#include "log/entry.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Masks passwords of Logon and UserRequest, like the engine's journals, and further tags in every
/// message. Their values become one `*`.
class Redaction {
 public:
  explicit Redaction(std::vector<std::uint32_t> further_tags) : further_(std::move(further_tags)) {}

  /// The entry's bytes without secrets; `index` is that of its message, and afterwards that of the
  /// result. Views the entry's bytes, or this object's memory until the next call.
  [[nodiscard]] std::string_view message(std::string_view bytes, wire::FieldIndex& index);

  /// Does the same for a text that may quote a message in any form: masks up to SOH or `|`, and raw
  /// data up to the end of the line.
  [[nodiscard]] std::string_view text(std::string_view text);

 private:
  std::vector<std::uint32_t> further_;
  std::string copy_;
};

}  // namespace affix::inline v0::tools::log
