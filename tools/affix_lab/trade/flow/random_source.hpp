// SPDX-License-Identifier: MIT
// Random numbers that are identical for a seed with every compiler and library, unlike the
// standard's distributions. For generated order flow; not for secrets.
#pragma once

#include <cstdint>

namespace affix::inline v0::tools::trade {

/// SplitMix64 by Steele, Lea and Flood: one addition and a mix per number, any seed is good.
class RandomSource {
 public:
  explicit constexpr RandomSource(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] constexpr std::uint64_t next() noexcept {
    state_ += 0x9E37'79B9'7F4A'7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return mixed ^ (mixed >> 31U);
  }

  /// 0 to `count` - 1, equally likely up to one part in 2^64 / count. `count` is above zero.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t count) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(next()) * count >> 64U);
  }

  /// `low` to `high`, both included; low <= high.
  [[nodiscard]] constexpr std::int64_t between(std::int64_t low, std::int64_t high) noexcept {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// True in `percent` out of a hundred cases.
  [[nodiscard]] constexpr bool chance(std::uint32_t percent) noexcept {
    return below(100) < percent;
  }

  /// Above 0 and up to 1, in steps of 2^-53.
  [[nodiscard]] constexpr double fraction() noexcept {
    return static_cast<double>((next() >> 11U) + 1) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace affix::inline v0::tools::trade
