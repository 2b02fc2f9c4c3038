// SPDX-License-Identifier: MIT
// The only source of randomness of a simulation: one generator, so that one number repeats a whole
// history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>

namespace affix::simulation {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) noexcept : state_(seed) {}

  /// splitmix64: any seed is good, also consecutive ones.
  std::uint64_t next() noexcept {
    state_ += 0x9e37'79b9'7f4a'7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d0'49bb'1331'11eb;
    return mixed ^ (mixed >> 31);
  }

  /// 0 to `bound` - 1; 0 for 0.
  std::uint64_t below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }

  /// `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) noexcept {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least) + 1));
  }

  /// True in `in_thousand` of a thousand cases.
  bool chance(std::uint32_t in_thousand) noexcept { return below(1000) < in_thousand; }

  /// An index of `weights`, whose sum is not 0, as often as its weight says.
  template <typename Weights>
  std::size_t weighted(const Weights& weights) noexcept {
    std::uint64_t at = below(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
    std::size_t chosen = 0;
    while (at >= weights[chosen]) {
      at -= weights[chosen];
      ++chosen;
    }
    return chosen;
  }

  template <typename Value>
  Value pick(std::initializer_list<Value> values) noexcept {
    return *(values.begin() + static_cast<std::ptrdiff_t>(below(values.size())));
  }

 private:
  std::uint64_t state_;
};

}  // namespace affix::simulation
