// SPDX-License-Identifier: MIT
// Which conversions between integers keep every value: what constructors of prices, quantities and
// times let through.
#pragma once

#include <concepts>
#include <limits>
#include <utility>

namespace affix::inline v0::base {

/// Integer types that stand for numbers: every width up to 64 bits, neither bool nor a character
/// type.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && sizeof(T) <= 8;

/// Integer types every value of which a `Target` holds.
template <typename T, typename Target>
concept IntegerWithin =
    Integer<T> && Integer<Target> && std::in_range<Target>(std::numeric_limits<T>::min()) &&
    std::in_range<Target>(std::numeric_limits<T>::max());

}  // namespace affix::inline v0::base
