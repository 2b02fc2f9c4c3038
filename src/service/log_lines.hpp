// SPDX-License-Identifier: MIT
// Formats of a log's record.
#pragma once

#include "affix/config/choices.hpp"
#include "affix/service/log_record.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::service {

/// "ERROR", "WARNING", "INFO", "DEBUG". Static storage.
[[nodiscard]] const char* to_text(host::Event::Severity severity) noexcept;

/// The level of a configuration's word; Info for any other word.
[[nodiscard]] host::Event::Severity severity_of(std::string_view word) noexcept;

[[nodiscard]] host::Event::Severity severity_of(affix::config::LogLevel level) noexcept;

/// The record as one line with its end. Replaces line ends in the text by spaces and unprintable
/// bytes by "?", so that a peer cannot add lines to the log; JSON escapes them. Allocates.
[[nodiscard]] std::string log_line(const LogRecord& record, LogForm form);

}  // namespace affix::inline v0::service
