// SPDX-License-Identifier: MIT
// Time that changes only when a test changes it: the steady and the UTC clock of a session,
// separately if needed.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>

namespace affix::inline v0::testing {

class ManualClock {
 public:
  /// 2026-01-05T09:00:00Z; the steady clock starts at one hour, so that no test relies on 0.
  static constexpr std::int64_t utc_begin_ns = 1'767'603'600 * base::ns_per_second;

  [[nodiscard]] base::Now now() const noexcept { return now_; }

  /// Advances both clocks.
  void advance(std::int64_t by_ns) noexcept {
    now_.steady_ns += by_ns;
    now_.utc_ns += by_ns;
  }

  void advance_to_steady(std::int64_t steady_ns) noexcept {
    if (steady_ns > now_.steady_ns) {
      advance(steady_ns - now_.steady_ns);
    }
  }

  /// Steps the UTC clock forward or back; the steady clock is unaffected.
  void step_utc(std::int64_t by_ns) noexcept { now_.utc_ns += by_ns; }

 private:
  base::Now now_{3600 * base::ns_per_second, utc_begin_ns};
};

}  // namespace affix::inline v0::testing
