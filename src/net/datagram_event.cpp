// SPDX-License-Identifier: MIT
// A datagram socket of the loopback that is connected to itself, so that nobody else can send to
// it.
#include "net/datagram_event.hpp"

#include "affix/net/address.hpp"
#include "affix/net/socket_calls.hpp"

namespace affix::inline v0::net {

Socket make_datagram_event() noexcept {
  Socket event(make_socket(AF_INET, SOCK_DGRAM, Waiting::Never));
  if (!event.is_open()) {
    return event;
  }
  const auto any = Address::parse("127.0.0.1:0");
  if (!any || ::bind(event.fd(), any->native(), static_cast<socklen_t>(any->native_size())) != 0) {
    return Socket();
  }
  const auto own = event.local_address();
  if (!own ||
      ::connect(event.fd(), own->native(), static_cast<socklen_t>(own->native_size())) != 0) {
    return Socket();
  }
  return event;
}

void raise_datagram_event(int event) noexcept {
  const char one = 1;
  // Fails when the buffer is full; then it is readable anyway.
  static_cast<void>(!::send(event, &one, sizeof one, 0));
}

void clear_datagram_event(int event) noexcept {
  char some[64];
  // Each of them is a datagram; few can have come, since a waker raises its event once a wait.
  while (::recv(event, some, sizeof some, 0) > 0) {
  }
}

}  // namespace affix::inline v0::net
