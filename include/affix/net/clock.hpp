// SPDX-License-Identifier: MIT
// The system's clocks, read once per turn by whoever drives a worker.
// Everything below the engine takes the reading as an argument.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>
#include <time.h>

namespace affix::inline v0::net {

/// One system clock in nanoseconds. No system call on Linux (vDSO), about 20 ns.
[[nodiscard]] inline std::int64_t read_clock_ns(clockid_t clock) noexcept {
  timespec reading{};
  // Fails for unknown clocks only, and callers name constants.
  static_cast<void>(::clock_gettime(clock, &reading));
  return std::int64_t{reading.tv_sec} * base::ns_per_second + reading.tv_nsec;
}

/// Both clocks, one straight after the other.
[[nodiscard]] inline base::Now now() noexcept {
  return base::Now{.steady_ns = read_clock_ns(CLOCK_MONOTONIC),
                   .utc_ns = read_clock_ns(CLOCK_REALTIME)};
}

}  // namespace affix::inline v0::net
