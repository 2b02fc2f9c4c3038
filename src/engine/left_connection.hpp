// SPDX-License-Identifier: MIT
// A connection that an earlier process, or another node of this machine, left open, on its way to
// the session that continues it.
#pragma once

#include "affix/net/socket.hpp"
#include "affix/net/socket_options.hpp"

#include "host/link_record.hpp"

#include <memory>

namespace affix::inline v0::engine {

class KeptConnections;

/// Owns the socket: destruction closes this process's descriptor of it.
struct LeftConnection {
  net::Socket socket{};
  host::LinkRecord* row = nullptr;  ///< In the table of connections.
  net::SocketOptions options{};     ///< Of the session's group, to be applied.
  /// Another node has passed it on, and this has its row; null: an earlier process of this engine
  /// left it.
  std::shared_ptr<KeptConnections> passed{};
};

}  // namespace affix::inline v0::engine
