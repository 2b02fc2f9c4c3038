// SPDX-License-Identifier: MIT
// No other system has a descriptor that is only an event.
#include "affix/net/event_descriptor.hpp"

#include "net/datagram_event.hpp"

namespace affix::inline v0::net {

Socket make_event() noexcept {
  return make_datagram_event();
}

void raise_event(int event) noexcept {
  raise_datagram_event(event);
}

void clear_event(int event) noexcept {
  clear_datagram_event(event);
}

}  // namespace affix::inline v0::net
