// SPDX-License-Identifier: MIT
// base::UtcTime from and to the standard library's system time, and of now. A header of its own,
// which no other includes: the header chrono is more to compile than a message.
#pragma once

#include "affix/base/time.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>

namespace affix::inline v0::messages {

/// What std::chrono::system_clock gives, exactly.
[[nodiscard]] constexpr base::UtcTime utc_time(
    std::chrono::sys_time<std::chrono::nanoseconds> time) noexcept {
  return base::UtcTime(std::int64_t{time.time_since_epoch().count()});
}

/// Of any other integral duration whose tick is a whole number of nanoseconds, or of picoseconds:
/// exact, or nothing when base::UtcTime does not reach so far. Floating point durations do not
/// compile.
template <std::integral Rep, typename Period>
  requires(!std::same_as<std::chrono::duration<Rep, Period>, std::chrono::nanoseconds> &&
           std::ratio_divide<Period, std::pico>::den == 1)
[[nodiscard]] constexpr std::optional<base::UtcTime> utc_time(
    std::chrono::sys_time<std::chrono::duration<Rep, Period>> time) noexcept {
  __extension__ using Wide = __int128;
  Wide picoseconds = 0;
  const Wide ticks = time.time_since_epoch().count();
  if (__builtin_mul_overflow(ticks, Wide{std::ratio_divide<Period, std::pico>::num},
                             &picoseconds)) {
    return std::nullopt;
  }
  Wide ns = picoseconds / 1000;
  auto rest = static_cast<std::int64_t>(picoseconds % 1000);
  if (rest < 0) {
    rest += 1000;
    --ns;
  }
  if (ns > std::numeric_limits<std::int64_t>::max() ||
      ns < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return base::UtcTime(static_cast<std::int64_t>(ns), static_cast<std::uint16_t>(rest));
}

/// Picoseconds are cut off.
[[nodiscard]] constexpr std::chrono::sys_time<std::chrono::nanoseconds> to_chrono(
    base::UtcTime time) noexcept {
  return std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(time.ns));
}

/// The system's clock, read now: no system call on Linux, about 20 ns. In a callback
/// SessionHandle::now() has been read already, and is what tag 52 says.
[[nodiscard]] inline base::UtcTime utc_now() noexcept {
  return utc_time(
      std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::system_clock::now()));
}

}  // namespace affix::inline v0::messages
