// SPDX-License-Identifier: MIT
// A listener on a port of 127.0.0.1, for a server that a test plays in a thread of its own.
#pragma once

#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"

#include "support/accepted.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace affix::support {

class LoopbackListener {
 public:
  LoopbackListener() : socket_(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.fd(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_.fd(), 16), 0);
    EXPECT_EQ(::getsockname(socket_.fd(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Waits for a connection. Not open: end() was called.
  [[nodiscard]] net::Socket accept() const { return accept_waiting(socket_.fd()); }

  /// Ends accept(). Any thread.
  void end() const noexcept { ::shutdown(socket_.fd(), SHUT_RDWR); }

 private:
  net::Socket socket_;
  std::uint16_t port_ = 0;
};

}  // namespace affix::support
