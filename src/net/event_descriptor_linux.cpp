// SPDX-License-Identifier: MIT
// An eventfd.
#include "affix/net/event_descriptor.hpp"

#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace affix::inline v0::net {

Socket make_event() noexcept {
  return Socket(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
}

void raise_event(int event) noexcept {
  const std::uint64_t one = 1;
  // Fails with EAGAIN only when the counter is full; then it is readable anyway.
  static_cast<void>(!::write(event, &one, sizeof one));
}

void clear_event(int event) noexcept {
  std::uint64_t count = 0;
  static_cast<void>(!::read(event, &count, sizeof count));
}

}  // namespace affix::inline v0::net
