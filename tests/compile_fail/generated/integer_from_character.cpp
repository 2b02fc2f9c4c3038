// SPDX-License-Identifier: MIT
// A character is not a number: '1' would be 49.
// Expected: constraint

#include "affix/fix44/execution_report.hpp"

void write(affix::fix44::ExecutionReportWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.num_days_interest('1');
#else
  order.num_days_interest(1);
#endif
}
