// SPDX-License-Identifier: MIT
// The three states between a reactor and the threads that wake it.
#include "affix/net/waker.hpp"

#include <cerrno>
#include <sys/eventfd.h>
#include <unistd.h>

namespace affix::inline v0::net {

std::expected<void, base::Error> Waker::open() {
  event_ = Socket(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
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
  const std::uint64_t one = 1;
  // Fails with EAGAIN only when the counter is full; then it is readable anyway.
  static_cast<void>(!::write(event_.fd(), &one, sizeof one));
  errno = kept;
}

bool Waker::enter_block() noexcept {
  State expected = State::Awake;
  return state_.compare_exchange_strong(expected, State::Blocked, std::memory_order_acq_rel);
}

bool Waker::take() noexcept {
  // A spinning owner looks every turn: a plain load keeps the line shared until a thread wakes it.
  // A delay of one turn is harmless.
  if (state_.load(std::memory_order_relaxed) == State::Awake) {
    return false;
  }
  return state_.exchange(State::Awake, std::memory_order_acq_rel) == State::Woken;
}

}  // namespace affix::inline v0::net
