// SPDX-License-Identifier: MIT
// Actions of the protocol that a command has met while it stored the outbox, and which wait for the
// end of the callback that gave the command.
#pragma once

#include "affix/base/fixed_vector.hpp"
#include "affix/session/out.hpp"

#include "host/session_buffers.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

/// One thread. The first ones are kept in the session's room. An application may give dozens of
/// commands in one callback, of which any but the last may only report, and the last, such as a
/// refusal, may act: those that the room has no space for allocate.
class DeferredActions {
 public:
  [[nodiscard]] bool empty() const noexcept { return count_ == 0 && further_.empty(); }

  /// Keeps an action after the others. `room`: SessionBuffers::deferred, the same until empty().
  void add(std::span<session::Action> room, const session::Action& action) {
    if (further_.empty() && count_ < room.size()) {
      room[count_++] = action;
    } else {
      further_.push_back(action);
    }
  }

  /// Calls `execute` with each in the order in which they came, and keeps none. `execute` may add
  /// more, which wait for the next call.
  template <typename Execute>
  void take(std::span<session::Action> room, Execute execute) {
    base::FixedVector<session::Action, deferred_actions_max> kept;
    for (const session::Action& action : room.first(std::exchange(count_, 0))) {
      static_cast<void>(kept.push_back(action));
    }
    const std::vector<session::Action> further = std::exchange(further_, {});
    for (const session::Action& action : kept) {
      execute(action);
    }
    for (const session::Action& action : further) {
      execute(action);
    }
  }

 private:
  std::size_t count_ = 0;                 // In the room.
  std::vector<session::Action> further_;  // After them.
};

}  // namespace affix::inline v0::host
