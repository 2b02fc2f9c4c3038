// SPDX-License-Identifier: MIT
// Only Linux tells when output left; begin_transmit_stamps() has refused it.
#include "net/socket_reactor.hpp"

namespace affix::inline v0::net {

bool SocketReactor::take_transmit_stamps(std::uint32_t /*slot*/, Handler& /*handler*/) noexcept {
  return false;
}

}  // namespace affix::inline v0::net
