// SPDX-License-Identifier: MIT
// Derives from a configuration whether a session of another process should be logged on now, and
// where its journal is. For programs that monitor an engine from outside.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::config {

/// Immutable after construction; any thread. Copies share the time zone and windows.
class SessionHours {
 public:
  /// The next changes, UTC; 0: none within one year.
  struct Outlook {
    bool open = false;               ///< True inside a window.
    std::int64_t opens_utc_ns = 0;   ///< Start of the next window, or end of one that adjoins.
    std::int64_t closes_utc_ns = 0;  ///< End of the current window, or of the next one.
  };

  /// Reads the time zone and the holidays file, if the keys name them. The error lists every fault,
  /// with the texts of Engine::open().
  [[nodiscard]] static std::expected<SessionHours, Problems> of(const SessionSettings& settings);

  /// True if the session has no schedule.
  [[nodiscard]] bool always() const noexcept { return windows_ == nullptr; }

  /// True if `utc_ns` is within a window. A few hundred operations; no allocation.
  [[nodiscard]] bool open(std::int64_t utc_ns) const noexcept;

  /// The changes after `utc_ns`; without a schedule it is open and has no changes. About ten times
  /// the cost of open().
  [[nodiscard]] Outlook outlook(std::int64_t utc_ns) const noexcept;

  /// Local time in the schedule's time zone at `utc_ns`: nanoseconds since 1970-01-01 00:00 in
  /// local time.
  [[nodiscard]] std::int64_t local_ns(std::int64_t utc_ns) const noexcept;

 private:
  struct Windows;

  std::shared_ptr<const Windows> windows_;
};

/// Directory of the session's journal, under its journal_path; empty: no journal on the disk. The
/// directory need not exist. Allocates.
[[nodiscard]] std::string journal_directory_of(const SessionSettings& settings);

}  // namespace affix::inline v0::config
