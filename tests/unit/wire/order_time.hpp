// SPDX-License-Identifier: MIT
// When the orders of these tests were made.
#pragma once

#include "affix/base/time.hpp"

namespace affix::wire {

/// 20251231-18:21:36.457245600
inline constexpr base::UtcTime order_time{1'767'205'296'457'245'600, 0};

}  // namespace affix::wire
