// SPDX-License-Identifier: MIT
// Concepts for integer conversions that preserve every value, used by constructors of prices,
// quantities and times.
#pragma once

#include <concepts>
#include <limits>
#include <utility>

namespace affix::inline v0::base {

/// Integer types that represent numbers: every width up to 64 bits, but neither bool nor character
/// types.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && sizeof(T) <= 8;

/// Integer types whose values all fit a `Target`.
template <typename T, typename Target>
concept IntegerWithin =
    Integer<T> && Integer<Target> && std::in_range<Target>(std::numeric_limits<T>::min()) &&
    std::in_range<Target>(std::numeric_limits<T>::max());

}  // namespace affix::inline v0::base
