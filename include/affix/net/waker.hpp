// SPDX-License-Identifier: MIT
// Wakes a blocked reactor from any thread; costs no system call while the reactor is awake. Push
// work to the worker's queue first, then wake it.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <atomic>
#include <cstdint>
#include <expected>

namespace affix::inline v0::net {

/// One per reactor, or per thread that has none and calls block(). wake() is for any thread, the
/// rest for the owner's own. No wake is lost: one that arrives between the owner's last check of
/// its queue and its wait makes the wait return at once.
class Waker {
 public:
  Waker() noexcept = default;
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  /// Creates the event descriptor; call it first.
  [[nodiscard]] std::expected<void, base::Error> open();

  /// Makes the reactor's poll() return soon; writes before this call are then visible to its
  /// thread. Any thread and signal handlers; one atomic exchange, and one system call only if the
  /// reactor is blocked. Several wakes may merge into one.
  void wake() noexcept;

  /// The owner is about to block, or to wait elsewhere for fd(). False: a wake arrived, so it must
  /// not block. Repeating it has no effect.
  [[nodiscard]] bool enter_block() noexcept;

  /// The owner stopped blocking, or did not block. True: a wake arrived since the last call. Later
  /// wakes count for the next turn.
  [[nodiscard]] bool take() noexcept;

  /// For an owner without a reactor: blocks until a wake arrives, at most for `timeout_ns`, and
  /// takes the wake. Also returns after a signal.
  void block(std::int64_t timeout_ns) noexcept;

  /// Written at each wake of a blocked reactor: register it edge-triggered, or drain() it when it
  /// is readable.
  [[nodiscard]] int fd() const noexcept { return event_.fd(); }

  /// Makes fd() no longer readable. One system call.
  void drain() noexcept;

 private:
  enum class State : std::uint32_t { Awake, Blocked, Woken };

  // On its own cache line, because other threads write it.
  alignas(base::cache_line) std::atomic<State> state_{State::Awake};
  alignas(base::cache_line) Socket event_;
};

}  // namespace affix::inline v0::net
