// SPDX-License-Identifier: MIT
// Pieces of text that styles are made of.
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

/// "1.234 ms" and alike: three digits behind the point, in the unit that fits.
[[nodiscard]] std::string duration_text(std::int64_t ns);

/// "OUT", "IN ", ... : what the entry is, three letters wide; "---" where nothing says it.
[[nodiscard]] std::string_view direction_text(const Entry& entry) noexcept;

/// What comes behind an entry's number: the end of a range, an event's name, `unprocessed`; begins
/// with a space or is empty.
[[nodiscard]] std::string tail_text(const Entry& entry);

/// Bytes with `|` for SOH and other control bytes as \xNN.
[[nodiscard]] std::string readable(std::string_view bytes);

/// One indented line per field: tag, name, `=`, value, and the value's name in brackets; of the
/// message that `names` has turned to.
[[nodiscard]] std::string field_lines(const wire::MessageView& message, const MessageNames& names);

}  // namespace affix::inline v0::tools::log
