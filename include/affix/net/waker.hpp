// SPDX-License-Identifier: MIT
// Wakes a reactor that blocks, from any thread, and costs its callers no system call while it does
// not. Whoever hands work to a worker through a queue pushes first and wakes afterwards.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <atomic>
#include <cstdint>
#include <expected>

namespace affix::inline v0::net {

/// One per reactor. wake() is for every thread, the rest for the reactor's own. A wake is never
/// lost: given between the owner's last look at its queue and its blocking, it turns that blocking
/// into a mere glance.
class Waker {
 public:
  Waker() noexcept = default;
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  /// Makes the event descriptor; before any other call.
  [[nodiscard]] std::expected<void, base::Error> open();

  /// The reactor's poll() returns soon, and what was written before this call is visible to its
  /// thread then. Any thread, signal handlers included; one atomic exchange, and one system call
  /// only when the reactor blocks. Many wakes may become one.
  void wake() noexcept;

  /// The owner says that it is about to block. False: a wake has come, so it must not block.
  [[nodiscard]] bool enter_block() noexcept;

  /// The owner has stopped blocking, or never did. True: a wake came since the last call. From here
  /// on a new wake counts for the next turn.
  [[nodiscard]] bool take() noexcept;

  /// Written once for each wake of a blocked reactor and never read: register it edge-triggered.
  [[nodiscard]] int fd() const noexcept { return event_.fd(); }

 private:
  enum class State : std::uint32_t { Awake, Blocked, Woken };

  // On its own cache line: other threads write it, and the reactor's neighbours should not feel
  // that.
  alignas(base::cache_line) std::atomic<State> state_{State::Awake};
  alignas(base::cache_line) Socket event_;
};

}  // namespace affix::inline v0::net
