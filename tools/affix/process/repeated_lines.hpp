// SPDX-License-Identifier: MIT
// Lines that repeat themselves: the first of a second are written, the others are counted.
#pragma once

#include "process/log_queue.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::tools {

/// Lines are alike when severity, session and text are the same but for the digits in it. A peer
/// that causes the same event for each of a million messages fills no disk, and no line of another
/// session waits behind a million of its own. One thread; memory is fixed but for one text each of
/// `shapes`.
class RepeatedLines {
 public:
  static constexpr std::size_t shapes = 64;

  /// Of one shape in one second; more are counted.
  static constexpr std::uint64_t alike_max = 256;

  /// Whether the line is to be written. False: it is counted, and a later summary says so. `now_ns`
  /// is of a clock that does not go back; seconds are counted by it, not by the lines' own times.
  [[nodiscard]] bool admits(const LogRecord& record, std::int64_t now_ns);

  /// Which summaries are wanted: of seconds that are over, or of all.
  enum class Due : std::uint8_t { Before, All };

  /// What is to be written in place of lines that were left out. Empty: nothing more. The record's
  /// views live until the next call.
  [[nodiscard]] std::optional<LogRecord> summary(std::int64_t now_ns, Due due);

 private:
  struct Shape {
    std::uint64_t hash = 0;
    std::int64_t second = 0;
    std::uint64_t lines = 0;  // In that second; 0: the place is free.
    std::int64_t last_ns = 0;
    engine::Event::Severity severity = engine::Event::Severity::Info;
    std::string session;
    std::string last;  // Of those left out.
  };

  std::array<Shape, shapes> shapes_;
  std::size_t left_out_shapes_ = 0;
  std::string summary_session_;
  std::string summary_text_;
};

}  // namespace affix::inline v0::tools
