// SPDX-License-Identifier: MIT
// Reads the system's clocks, once per turn, for the loop that drives a worker. All layers below the
// engine take the reading as an argument.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>
#include <time.h>

namespace affix::inline v0::os {

/// Reads one system clock in nanoseconds. No system call on Linux (vDSO), about 20 ns.
[[nodiscard]] inline std::int64_t read_clock_ns(clockid_t clock) noexcept {
  timespec reading{};
  // Fails only for unknown clocks, and callers pass constants.
  static_cast<void>(::clock_gettime(clock, &reading));
  return std::int64_t{reading.tv_sec} * base::ns_per_second + reading.tv_nsec;
}

/// Reads both clocks in succession.
[[nodiscard]] inline base::Now now() noexcept {
  return base::Now{.steady_ns = read_clock_ns(CLOCK_MONOTONIC),
                   .utc_ns = read_clock_ns(CLOCK_REALTIME)};
}

}  // namespace affix::inline v0::os
