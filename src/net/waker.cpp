// SPDX-License-Identifier: MIT
// The three states between a reactor and the threads that wake it.
#include "affix/net/waker.hpp"

#include "affix/net/event_descriptor.hpp"
#include "affix/net/socket_calls.hpp"

#include <cerrno>

namespace affix::inline v0::net {

std::expected<void, base::Error> Waker::open() {
  event_ = make_event();
  if (!event_.is_open()) {
    return std::unexpected(base::make_system_error("eventfd", errno, "waker"));
  }
  return {};
}

void Waker::wake() noexcept {
  // Release: work that the caller queued is visible to the owner that takes the wake. Acquire:
  // pairs with enter_block(), so that the event is written for that very block.
  if (state_.exchange(State::Woken, std::memory_order_acq_rel) != State::Blocked) {
    return;
  }
  const int kept = errno;  // A signal handler may call this.
  raise_event(event_.fd());
  errno = kept;
}

bool Waker::enter_block() noexcept {
  State expected = State::Awake;
  return state_.compare_exchange_strong(expected, State::Blocked, std::memory_order_acq_rel) ||
         expected == State::Blocked;
}

bool Waker::take() noexcept {
  // A spinning owner looks every turn: a plain load keeps the line shared until a thread wakes it.
  // A delay of one turn is harmless.
  if (state_.load(std::memory_order_relaxed) == State::Awake) {
    return false;
  }
  return state_.exchange(State::Awake, std::memory_order_acq_rel) == State::Woken;
}

void Waker::block(std::int64_t timeout_ns) noexcept {
  if (enter_block()) {
    pollfd event{.fd = event_.fd(), .events = POLLIN, .revents = 0};
    if (wait_for_events({&event, 1}, timeout_ns) > 0) {
      drain();
    }
  }
  static_cast<void>(take());
}

void Waker::drain() noexcept {
  clear_event(event_.fd());
}

}  // namespace affix::inline v0::net
