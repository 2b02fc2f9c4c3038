// SPDX-License-Identifier: MIT
// When a daily reset comes next, and whether an earlier run missed one.
#include "host/number_resets.hpp"

namespace affix::inline v0::host {

std::int64_t NumberResets::next(std::int64_t utc_ns) const noexcept {
  const std::int64_t today_ns = utc_ns - utc_ns % day_ns + daily_ns_;
  return today_ns > utc_ns ? today_ns : today_ns + day_ns;
}

void NumberResets::recover(const journal::Journal& journal, std::int64_t utc_ns) {
  const std::int64_t newest_ns = journal.recovered().last_utc_ns;
  if (!are_daily() || newest_ns == 0 ||
      (journal.next_outgoing() == 1 && journal.next_expected() == 1)) {
    return;
  }
  const std::int64_t last_ns = next(utc_ns) - day_ns;
  const std::int64_t since_ns = newest_ns < last_ns ? newest_ns : journal.numbers_since_utc_ns();
  daily_due_ = since_ns != 0 && since_ns < last_ns;
}

}  // namespace affix::inline v0::host
