// SPDX-License-Identifier: MIT
// A set of enumerators in one integer: several flags of an object, with names of their own.
#pragma once

#include "affix/base/assert.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace affix::inline v0::base {

/// The enumerators count from 0; `Bits` has one for each.
template <typename Enum, typename Bits = std::uint8_t>
  requires std::is_enum_v<Enum> && std::is_unsigned_v<Bits>
class EnumSet {
 public:
  [[nodiscard]] constexpr bool has(Enum one) const noexcept { return (bits_ & bit(one)) != 0; }

  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

  /// True: it was not there.
  constexpr bool add(Enum one) noexcept {
    const bool is_new = !has(one);
    bits_ = static_cast<Bits>(bits_ | bit(one));
    return is_new;
  }

  /// True: it was there.
  constexpr bool remove(Enum one) noexcept {
    const bool was_there = has(one);
    bits_ = static_cast<Bits>(bits_ & ~bit(one));
    return was_there;
  }

  friend constexpr bool operator==(const EnumSet&, const EnumSet&) noexcept = default;

 private:
  [[nodiscard]] static constexpr Bits bit(Enum one) noexcept {
    const auto at = static_cast<unsigned>(one);
    AFFIX_ASSERT(at < std::numeric_limits<Bits>::digits);
    return static_cast<Bits>(Bits{1} << at);
  }

  Bits bits_ = 0;
};

}  // namespace affix::inline v0::base
