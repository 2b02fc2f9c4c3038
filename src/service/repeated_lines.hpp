// SPDX-License-Identifier: MIT
// Limits repeated lines: writes the first ones in a second, counts the others.
#pragma once

#include "affix/service/log_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::service {

/// Lines are alike when severity, session and text are equal except for digits. A peer that causes
/// the same event with each of a million messages then fills no disk, and delays no other session's
/// line. One thread; fixed memory, except one text for each of `shapes`.
class RepeatedLines {
 public:
  static constexpr std::size_t shapes = 64;

  /// Maximum lines of one shape in one second; more are counted.
  static constexpr std::uint64_t alike_max = 256;

  /// True if the line must be written. False: it is counted for a later summary. `now_ns` is from a
  /// clock that does not go back; it, not the lines' own times, determines the seconds.
  [[nodiscard]] bool admits(const LogRecord& record, std::int64_t now_ns);

  /// Summaries to return: of past seconds, or all.
  enum class Due : std::uint8_t { Before, All };

  /// The summary to write in place of omitted lines. Nullopt: no more. The record's views are valid
  /// until the next call.
  [[nodiscard]] std::optional<LogRecord> summary(std::int64_t now_ns, Due due);

 private:
  struct Shape {
    std::uint64_t hash = 0;
    std::int64_t second = 0;
    std::uint64_t lines = 0;  // In that second; 0: the place is free.
    std::int64_t last_ns = 0;
    host::Event::Severity severity = host::Event::Severity::Info;
    base::MessageCode code;
    std::string session;
    std::string last;  // The last omitted one.
  };

  std::array<Shape, shapes> shapes_;
  std::size_t left_out_shapes_ = 0;
  std::string summary_session_;
  std::string summary_text_;
};

}  // namespace affix::inline v0::service
