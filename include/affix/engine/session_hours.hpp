// SPDX-License-Identifier: MIT
// What a configuration says of a session that runs elsewhere: whether it is to be up now, and where
// its journal is. For programs that watch an engine from outside.
#pragma once

#include "affix/engine/configuration.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::engine {

/// Const after construction; any thread. Copies share what they know.
class SessionHours {
 public:
  /// The next times, UTC; 0: none within the year that is looked ahead for.
  struct Outlook {
    bool open = false;               ///< It is within a window now.
    std::int64_t opens_utc_ns = 0;   ///< The next window's start; of two that touch, one's end.
    std::int64_t closes_utc_ns = 0;  ///< The end of the window at hand, or else of the next.
  };

  /// Reads the time zone and the holidays file, where the keys name them. The error is every fault,
  /// in the words of Engine::open.
  [[nodiscard]] static std::expected<SessionHours, Problems> of(const SessionSettings& settings);

  /// The session has no schedule.
  [[nodiscard]] bool always() const noexcept { return windows_ == nullptr; }

  /// Whether `utc_ns` is within a window of it. A few hundred calculations.
  [[nodiscard]] bool open(std::int64_t utc_ns) const noexcept;

  /// From `utc_ns` on; without a schedule it is open, and neither opens nor closes. Some ten times
  /// the work of open().
  [[nodiscard]] Outlook outlook(std::int64_t utc_ns) const noexcept;

  /// What a clock on the wall in the schedule's time zone shows then: nanoseconds since 1970-01-01
  /// 00:00 as if it showed UTC.
  [[nodiscard]] std::int64_t local_ns(std::int64_t utc_ns) const noexcept;

 private:
  struct Windows;

  std::shared_ptr<const Windows> windows_;
};

/// Where the session's journal is, under its journal_path; empty: it keeps none on the disk. The
/// directory need not be there.
[[nodiscard]] std::string journal_directory_of(const SessionSettings& settings);

}  // namespace affix::inline v0::engine
