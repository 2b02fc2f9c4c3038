// SPDX-License-Identifier: MIT
// Journal records as people read them: a line each, or a line per field.
#pragma once

#include "affix/journal/record.hpp"
#include "affix/wire/view.hpp"

#include "log/message_names.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// "2026-01-31 12:00:00.123456789".
[[nodiscard]] std::string time_text(std::int64_t utc_ns);

/// "OUT", "IN ", ... : what the record is, three letters wide.
[[nodiscard]] std::string_view direction_text(journal::Kind kind) noexcept;

/// A message with `|` for SOH and other control bytes as \xNN.
[[nodiscard]] std::string message_line(std::string_view message);

/// Time, direction, number and message or event of a record, one line without its end.
[[nodiscard]] std::string record_line(const journal::Record& record);

/// One indented line per field: tag, name, `=`, value, and the value's name in brackets; of the
/// message that `names` has turned to.
[[nodiscard]] std::string field_lines(const wire::MessageView& message, const MessageNames& names);

}  // namespace affix::inline v0::tools::log
