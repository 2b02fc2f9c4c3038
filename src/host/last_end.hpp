// SPDX-License-Identifier: MIT
// How a session's last connection ended, for operators who ask later.
#pragma once

#include "affix/host/session_controls.hpp"

#include "host/link.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::host {

/// One thread. A value: a session that replaces another copies it.
class LastEnd {
 public:
  /// A connection has ended at `utc_ns`, by `who` and for this reason. Allocates.
  void note(EndedBy who, std::string_view reason, std::int64_t utc_ns) {
    utc_ns_ = utc_ns;
    why_ = std::string("ended by ") + to_text(who) + ": " + std::string(reason);
  }

  /// Side and reason; empty: no connection has ended yet.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  void show_in(SessionSight& sight) const noexcept {
    sight.ended_utc_ns = utc_ns_;
    sight.ended_why.set(why_);
  }

 private:
  std::int64_t utc_ns_ = 0;  // 0: there was none.
  std::string why_;
};

}  // namespace affix::inline v0::host
