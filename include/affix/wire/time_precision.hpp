// SPDX-License-Identifier: MIT
// The precision of a time's text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire {

/// Number of digits after the second.
enum class TimePrecision : std::uint8_t {
  Seconds = 0,
  Millis = 3,
  Micros = 6,
  Nanos = 9,
  Picos = 12
};

/// Size of a UTCTimestamp with this precision.
[[nodiscard]] constexpr std::size_t utc_time_size(TimePrecision precision) noexcept {
  return precision == TimePrecision::Seconds ? 17 : 18 + static_cast<std::size_t>(precision);
}

}  // namespace affix::inline v0::wire
