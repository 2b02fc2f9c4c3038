// SPDX-License-Identifier: MIT
// A floating point duration is not a time of day.
// Expected: no matching

#include "affix/messages/chrono.hpp"

affix::base::UtcTime make(std::chrono::sys_time<std::chrono::nanoseconds> time) {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::messages::utc_time(
      std::chrono::time_point_cast<std::chrono::duration<double>>(time));
#else
  return affix::messages::utc_time(time);
#endif
}
