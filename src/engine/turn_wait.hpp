// SPDX-License-Identifier: MIT
// How a worker's turn waits for events, and for how long at most.
#pragma once

#include "affix/net/reactor.hpp"

#include <algorithm>
#include <cstdint>

namespace affix::inline v0::engine {

class TurnWait {
 public:
  TurnWait() noexcept = default;

  /// `wait` gives the mode. `longest_ns`: of one turn; 0: until something is due.
  TurnWait(const net::Wait& wait, std::int64_t longest_ns) noexcept
      : wait_(wait), longest_ns_(longest_ns) {}

  /// For turns that another loop begins: none waits, and each looks at all events.
  void leave_to_other_loop() noexcept { wait_.mode = net::Wait::Mode::Block; }

  [[nodiscard]] bool spins() const noexcept { return wait_.mode == net::Wait::Mode::Spin; }

  /// The wait of a turn that begins now, when the next thing is due at `due_ns`, steady.
  [[nodiscard]] net::Wait until(std::int64_t due_ns, std::int64_t now_ns) const noexcept {
    net::Wait wait = wait_;
    wait.deadline_ns = longest_ns_ == 0 ? due_ns : std::min(due_ns, now_ns + longest_ns_);
    return wait;
  }

 private:
  net::Wait wait_;
  std::int64_t longest_ns_ = 0;
};

}  // namespace affix::inline v0::engine
