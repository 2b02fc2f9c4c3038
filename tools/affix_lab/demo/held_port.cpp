// SPDX-License-Identifier: MIT
// Binds with SO_REUSEADDR to port 0.
#include "demo/held_port.hpp"

#include "affix/net/socket_calls.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::tools::demo {

std::expected<HeldPort, base::Error> HeldPort::hold() {
  net::Socket socket(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
  const int on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (!socket.is_open() ||
      ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return std::unexpected(base::make_system_error("bind", errno, "127.0.0.1"));
  }
  return HeldPort(std::move(socket), std::to_string(ntohs(address.sin_port)));
}

}  // namespace affix::inline v0::tools::demo
