// SPDX-License-Identifier: MIT
// How a session's last connection ended, and when it last went on with one of an earlier process,
// for operators who ask later.
#pragma once

#include "affix/host/session_controls.hpp"

#include "host/link.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::host {

/// One thread. A value: a session that replaces another copies it.
class LinkHistory {
 public:
  /// A connection has ended at `utc_ns`, by `who` and for this reason. Allocates.
  void note(EndedBy who, std::string_view reason, std::int64_t utc_ns) {
    utc_ns_ = utc_ns;
    why_ = std::string("ended by ") + to_text(who) + ": " + std::string(reason);
  }

  /// Side and reason; empty: no connection has ended yet.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  /// The session has gone on with a connection of an earlier process or of another node, which
  /// nobody had served for `silent_ns`; 0: unknown.
  void note_continued(std::int64_t utc_ns, std::int64_t silent_ns) noexcept {
    continued_utc_ns_ = utc_ns;
    silent_ns_ = silent_ns;
  }

  void show_in(SessionSight& sight) const noexcept {
    sight.ended_utc_ns = utc_ns_;
    sight.ended_why.set(why_);
    sight.continued_utc_ns = continued_utc_ns_;
    sight.silent_ns = silent_ns_;
  }

 private:
  std::int64_t utc_ns_ = 0;  // 0: there was none.
  std::string why_;
  std::int64_t continued_utc_ns_ = 0;  // 0: it never has.
  std::int64_t silent_ns_ = 0;
};

}  // namespace affix::inline v0::host
