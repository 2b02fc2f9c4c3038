// SPDX-License-Identifier: MIT
// An integer field accepts only integers.
// Expected: constraint

#include "affix/fix44/execution_report.hpp"

void write(affix::fix44::ExecutionReportWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.num_days_interest(1.5);
#else
  order.num_days_interest(1);
#endif
}
