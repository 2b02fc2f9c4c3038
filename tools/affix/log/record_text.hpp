// SPDX-License-Identifier: MIT
// Text parts from which styles are composed.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// "2026-01-31 12:00:00.123456789", `time_width` characters.
inline constexpr std::size_t time_width = 29;
[[nodiscard]] std::string time_text(std::int64_t utc_ns);

/// For example "1.234 ms": three digits after the point, in a suitable unit.
[[nodiscard]] std::string duration_text(std::int64_t ns);

/// Direction or kind of the entry in three characters, such as "OUT", "IN "; "---" if unknown.
[[nodiscard]] std::string_view direction_text(const Entry& entry) noexcept;

/// Text after an entry's number: the end of a range, an event's name, `unprocessed`; begins with a
/// space or is empty.
[[nodiscard]] std::string tail_text(const Entry& entry);

/// Bytes with `|` for SOH and other control bytes as \xNN.
[[nodiscard]] std::string readable(std::string_view bytes);

/// One indented line per field of the message that `names` is set to: tag, name, `=`, value, and
/// the value's name in brackets.
[[nodiscard]] std::string field_lines(const wire::MessageView& message, const MessageNames& names);

}  // namespace affix::inline v0::tools::log
