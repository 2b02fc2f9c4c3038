// SPDX-License-Identifier: MIT
// A port of 127.0.0.1 for an engine whose port must be known before it is opened.
#pragma once

#include "affix/net/socket_calls.hpp"

#include <arpa/inet.h>
#include <cstdint>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace affix::support {

/// The port has no listener and the kernel does not assign it to others: connections are refused. A
/// listener with SO_REUSEADDR, like the engine's, can bind it meanwhile.
class HeldPort {
 public:
  HeldPort() : fd_(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed)) {
    const int on = 1;
    EXPECT_EQ(::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    number_ = ntohs(address.sin_port);
  }

  HeldPort(const HeldPort&) = delete;
  HeldPort& operator=(const HeldPort&) = delete;

  ~HeldPort() { ::close(fd_); }

  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }

 private:
  int fd_;
  std::uint16_t number_ = 0;
};

}  // namespace affix::support
