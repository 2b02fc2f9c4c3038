// SPDX-License-Identifier: MIT
// The forms a log's record is written in.
#pragma once

#include "process/log_queue.hpp"

#include <string>

namespace affix::inline v0::tools {

enum class LogForm : std::uint8_t {
  Text,  ///< "2026-01-31 12:00:00.123456 INFO    SESSION: text"
  Json,  ///< {"time":"2026-01-31T12:00:00.123456Z","level":"INFO","session":"...","text":"..."}
};

/// "ERROR", "WARNING", "INFO", "DEBUG". Static storage.
[[nodiscard]] const char* to_text(engine::Event::Severity severity) noexcept;

/// As configuration writes it; Info for any other word.
[[nodiscard]] engine::Event::Severity severity_of(std::string_view word) noexcept;

/// The record in one line with its end. Line ends within the text are written as spaces, and what
/// would not be printed as "?", so that nobody writes lines of their own into a log; JSON escapes
/// them. Allocates.
[[nodiscard]] std::string log_line(const LogRecord& record, LogForm form);

}  // namespace affix::inline v0::tools
