// SPDX-License-Identifier: MIT
// How much of a segment that is left is let go of in one call: unmapped, handed to the disk,
// dropped from the system's memory.
#pragma once

#include <cstddef>

namespace affix::inline v0::journal {

/// Whoever is woken on this processor waits for one call at most, which takes 6 to 25 us for so
/// much; of four times as much handing it to the disk alone takes 110 to 175 us. Less at once costs
/// more in all.
inline constexpr std::size_t let_go_of_in_a_step = std::size_t{256} * 1024;

}  // namespace affix::inline v0::journal
