// SPDX-License-Identifier: MIT
// One line of a log before formatting.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/host/application.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::service {

/// Views: valid as long as the caller's texts.
struct LogRecord {
  std::int64_t utc_ns = 0;                                       ///< Time of the event.
  host::Event::Severity severity = host::Event::Severity::Info;  ///< Its level.
  std::string_view session = {};                                 ///< Empty: not about a session.
  std::string_view text = {};                                    ///< One sentence.
  base::MessageCode code = {};  ///< `affix explain` prints what it means.
};

/// Form of a line.
enum class LogForm : std::uint8_t {
  Text,  ///< "2026-01-31 12:00:00.123456 INFO    S101 SESSION: text"; "-" without a code
  Json,  ///< {"time":"2026-01-31T12:00:00.123456Z","level":"INFO","code":"S101","session":"...","text":"..."}
};

}  // namespace affix::inline v0::service
