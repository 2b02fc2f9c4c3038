// SPDX-License-Identifier: MIT
// The extreme mantissas of a decimal.
#pragma once

#include <cstdint>
#include <limits>

namespace affix::base {

inline constexpr std::int64_t mantissa_max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t mantissa_min = std::numeric_limits<std::int64_t>::min();

}  // namespace affix::base
