// SPDX-License-Identifier: MIT
// The clocks that journals read: when a segment began, and how long work on the disk takes.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>
#include <time.h>

namespace affix::inline v0::journal {

/// One system clock in nanoseconds. No system call on Linux (vDSO).
[[nodiscard]] inline std::int64_t clock_ns(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * base::ns_per_second + now.tv_nsec;
}

[[nodiscard]] inline std::int64_t utc_now_ns() noexcept {
  return clock_ns(CLOCK_REALTIME);
}

[[nodiscard]] inline std::int64_t steady_now_ns() noexcept {
  return clock_ns(CLOCK_MONOTONIC);
}

}  // namespace affix::inline v0::journal
