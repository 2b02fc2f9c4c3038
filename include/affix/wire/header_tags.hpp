// SPDX-License-Identifier: MIT
// Classifies tags as header or trailer fields of any FIX version, for code that sorts or copies
// headers without a dictionary.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace affix::inline v0::wire {

namespace detail {

inline constexpr std::array<std::uint32_t, 34> header_tags{
    8,   9,   34,  35,  43,  49,  50,  52,  56,  57,  90,  91,  97,  115, 116,  122,  128,
    129, 142, 143, 144, 145, 212, 213, 347, 369, 370, 627, 628, 629, 630, 1128, 1129, 1156};
static_assert(std::ranges::is_sorted(header_tags));

}  // namespace detail

/// Header fields of FIX.4.0 to 5.0 SP2 and FIXT.1.1, including those of its groups.
[[nodiscard]] constexpr bool is_header_tag(std::uint32_t tag) noexcept {
  return std::ranges::binary_search(detail::header_tags, tag);
}

/// SignatureLength, Signature, CheckSum.
[[nodiscard]] constexpr bool is_trailer_tag(std::uint32_t tag) noexcept {
  return tag == 93 || tag == 89 || tag == 10;
}

}  // namespace affix::inline v0::wire
