// SPDX-License-Identifier: MIT
// Clocks for journals: when a segment begins, and how long disk work takes.
#pragma once

#include "affix/os/clock.hpp"

#include <cstdint>
#include <time.h>

namespace affix::inline v0::journal {

[[nodiscard]] inline std::int64_t utc_now_ns() noexcept {
  return os::read_clock_ns(CLOCK_REALTIME);
}

[[nodiscard]] inline std::int64_t steady_now_ns() noexcept {
  return os::read_clock_ns(CLOCK_MONOTONIC);
}

}  // namespace affix::inline v0::journal
