// SPDX-License-Identifier: MIT
// The times of each answered order and of each session that came back, for whoever measures outages
// of groups of sessions: percentiles of a whole run do not show when something happened.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

enum class LoggedEvent : std::uint8_t { Order, Logon };

/// Kept in memory until write(). One thread.
class AnswerLog {
 public:
  /// An order: when it was due, when it was written, when its answer was read. A session that has
  /// logged on again: when it lost its connection, when it was dialed, when its Logon was answered.
  /// All in nanoseconds of CLOCK_MONOTONIC.
  void add(LoggedEvent event, std::uint32_t session, std::int64_t due_ns, std::int64_t written_ns,
           std::int64_t answered_ns) {
    rows_.push_back({due_ns, written_ns, answered_ns, session, event});
  }

  /// CSV: `event,session,due_ns,written_ns,answered_ns`. Io: the file.
  [[nodiscard]] std::expected<void, base::Error> write(const std::string& path) const;

 private:
  struct Row {
    std::int64_t due_ns;
    std::int64_t written_ns;
    std::int64_t answered_ns;
    std::uint32_t session;
    LoggedEvent event;
  };

  std::vector<Row> rows_;
};

}  // namespace affix::inline v0::tools::bench
