// SPDX-License-Identifier: MIT
// Converts base::UtcTime from and to the standard library's system time, and reads the clock. No
// other header includes this one, because `chrono` takes longer to compile than a message.
#pragma once

#include "affix/base/time.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>

namespace affix::inline v0::messages {

/// Converts the result of std::chrono::system_clock exactly.
[[nodiscard]] constexpr base::UtcTime utc_time(
    std::chrono::sys_time<std::chrono::nanoseconds> time) noexcept {
  return base::UtcTime(std::int64_t{time.time_since_epoch().count()});
}

/// Converts other integral durations whose tick is a whole number of nanoseconds or
/// picoseconds: exact, or nothing if out of base::UtcTime's range. Floating point durations do
/// not compile.
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

/// Truncates picoseconds.
[[nodiscard]] constexpr std::chrono::sys_time<std::chrono::nanoseconds> to_chrono(
    base::UtcTime time) noexcept {
  return std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(time.ns));
}

/// Reads the system's clock: no system call on Linux, about 20 ns. In a callback, use
/// SessionHandle::now(), which was read before and is the time in SendingTime (52).
[[nodiscard]] inline base::UtcTime utc_now() noexcept {
  return utc_time(
      std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::system_clock::now()));
}

}  // namespace affix::inline v0::messages
