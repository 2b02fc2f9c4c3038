// SPDX-License-Identifier: MIT
// A connection that a test accepts itself, and waits for.
#pragma once

#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"

#include <fcntl.h>

namespace affix::support {

/// Waits for a connection if the listener does. Calls on the result wait. Not open: errno has the
/// error.
[[nodiscard]] inline net::Socket accept_waiting(int listener) {
  net::Socket socket(net::accept_socket(listener, nullptr, nullptr));
  if (socket.is_open()) {
    ::fcntl(socket.fd(), F_SETFL, ::fcntl(socket.fd(), F_GETFL) & ~O_NONBLOCK);
  }
  return socket;
}

}  // namespace affix::support
