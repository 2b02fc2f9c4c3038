// SPDX-License-Identifier: MIT
// A connection between two reactors: given up by the one that accepted it, on its way to the thread
// of another that will adopt it.
#pragma once

#include "affix/net/socket.hpp"

#include <memory>
#include <string>

namespace affix::inline v0::net {

/// What a reactor keeps of a connection above its socket, such as a TLS stream. Only a reactor of
/// the kind that made it can take it over.
class ConnectionLayer {
 public:
  ConnectionLayer(const ConnectionLayer&) = delete;
  ConnectionLayer& operator=(const ConnectionLayer&) = delete;
  virtual ~ConnectionLayer() = default;

 protected:
  ConnectionLayer() = default;
};

/// All that goes along with a connection when it moves. Owns the socket: destroying it closes the
/// connection. Moved only; carried between threads by whatever hands things over in order.
struct DetachedConnection {
  Socket socket;
  bool quick_ack = false;  ///< As in SocketOptions.
  bool stamped = false;    ///< Its receive_stamps are not None.
  std::string input = {};  ///< Received and not consumed, oldest first; delivered by the new owner.
  std::int64_t received_ns = 0;                 ///< Reactor::received_ns() of the newest of it.
  std::unique_ptr<ConnectionLayer> layer = {};  ///< Null: the socket's bytes are the application's.
};

}  // namespace affix::inline v0::net
