// SPDX-License-Identifier: MIT
// A connection between two reactors: given up by the one that accepted it, on its way to the thread
// of another that will adopt it.
#pragma once

#include "affix/net/socket.hpp"

#include <string>

namespace affix::inline v0::net {

/// All that goes along with a connection when it moves. Owns the socket: destroying it closes the
/// connection. Moved only; carried between threads by whatever hands things over in order.
struct DetachedConnection {
  Socket socket;
  bool quick_ack = false;  ///< As in SocketOptions.
  std::string input;       ///< Received and not consumed, oldest first; delivered by the new owner.
};

}  // namespace affix::inline v0::net
