// SPDX-License-Identifier: MIT
// A connection between two reactors: released by the reactor that accepted it, until a reactor on
// another thread adopts it.
#pragma once

#include "affix/net/socket.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace affix::inline v0::net {

/// A reactor's state of a connection above its socket, such as a TLS stream. Only a reactor of the
/// same kind can adopt it.
class ConnectionLayer {
 public:
  ConnectionLayer(const ConnectionLayer&) = delete;
  ConnectionLayer& operator=(const ConnectionLayer&) = delete;
  virtual ~ConnectionLayer() = default;

 protected:
  ConnectionLayer() = default;
};

/// Everything that moves with a connection. Owns the socket: destruction closes the connection,
/// unless it is shared. Move only; pass it between threads by a synchronised queue.
struct DetachedConnection {
  Socket socket;
  bool quick_ack = false;         ///< As in SocketOptions.
  bool stamped = false;           ///< Its receive_stamps are not None.
  bool transmit_stamped = false;  ///< Its transmit_stamps are on.
  /// Reactor::share(): somebody else holds a duplicate, so closing does not end the connection.
  bool shared = false;
  std::uint64_t output_position = 0;       ///< Reactor::output_position().
  std::uint64_t transmitted_position = 0;  ///< Part of output_position known to have left.
  std::string input = {};  ///< Received and not consumed, oldest first; the new owner delivers it.
  std::int64_t received_ns = 0;                 ///< Reactor::received_ns() of its newest bytes.
  std::unique_ptr<ConnectionLayer> layer = {};  ///< Null: the socket carries application bytes.
};

}  // namespace affix::inline v0::net
