// SPDX-License-Identifier: MIT
// Numbers of the configuration with their units: `64KiB`, `30s`. Exact, or refused.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::config {

/// The quantity that a key's number counts.
enum class Measure : std::uint8_t {
  Count,  ///< Neither bytes nor time: no unit fits.
  Bytes,
  Microseconds,
  Milliseconds,
  Seconds,
  Hours,
  Days,
};

/// Units that a number of this measure may have, for messages; empty for Count.
[[nodiscard]] std::string_view units_of(Measure measure) noexcept;

/// "seconds", "bytes"; empty for Count.
[[nodiscard]] std::string_view plural_of(Measure measure) noexcept;

enum class NumberFault : std::uint8_t {
  NotANumber,  ///< Or one with a unit that does not fit, or beyond 64 bits.
  NotWhole,    ///< Not a whole multiple of the key's unit: `1500ms` for seconds.
};

/// `30`, or with a unit `30s`, `500 ms`, `64KiB`, as a number of the measure.
[[nodiscard]] std::expected<std::int64_t, NumberFault> read_number(std::string_view text,
                                                                   Measure measure) noexcept;

}  // namespace affix::inline v0::config
