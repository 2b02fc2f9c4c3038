// SPDX-License-Identifier: MIT
// Seconds in floating point have lost their nanoseconds.
// Expected: no matching

#include "affix/base/time.hpp"

affix::base::UtcTime make([[maybe_unused]] double seconds) {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::UtcTime(seconds * 1e9, 0);
#else
  return affix::base::UtcTime(1'000, 0);
#endif
}
