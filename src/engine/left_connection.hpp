// SPDX-License-Identifier: MIT
// A connection that an earlier process left open, on its way to the session that continues it.
#pragma once

#include "affix/net/socket.hpp"
#include "affix/net/socket_options.hpp"

#include "host/link_record.hpp"

namespace affix::inline v0::engine {

/// Owns the socket: destruction closes this process's descriptor of it.
struct LeftConnection {
  net::Socket socket{};
  host::LinkRecord* row = nullptr;  ///< In the table of connections.
  net::SocketOptions options{};     ///< Of the session's group, to be applied.
};

}  // namespace affix::inline v0::engine
