// SPDX-License-Identifier: MIT
// Binding and listening.
#include "affix/net/listener.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace affix::inline v0::net {

namespace {

bool is_any_ipv6(const Address& address) noexcept {
  if (!address.is_ipv6()) {
    return false;
  }
  sockaddr_in6 native{};
  std::memcpy(&native, address.native(), sizeof native);
  return IN6_IS_ADDR_UNSPECIFIED(&native.sin6_addr);
}

// On a system without IPv6, "every address" is every IPv4 address.
std::expected<Socket, base::Error> open_for(Address& address) {
  auto socket = open_socket(address);
  if (!socket && is_any_ipv6(address)) {
    const Address ipv4 = Address().with_port(address.port());
    if (auto second = open_socket(ipv4)) {
      address = ipv4;
      return second;
    }
  }
  return socket;
}

}  // namespace

std::expected<Listener, base::Error> Listener::open(const Address& address,
                                                    const SocketOptions& options) {
  Address wanted = address;
  auto socket = open_for(wanted);
  if (!socket) {
    return std::unexpected(std::move(socket.error()));
  }
  const int on = 1;
  // A restarted server must be able to bind its port while old connections are in TIME_WAIT.
  static_cast<void>(::setsockopt(socket->fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  if (wanted.is_ipv6()) {
    // "[::]" accepts IPv4 peers whatever the system's default.
    const int off = 0;
    static_cast<void>(::setsockopt(socket->fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off));
  }
  // Before listen(): the window scale is fixed when a peer connects.
  if (auto applied = apply(options, *socket); !applied) {
    applied.error().where = address.text() + ": " + applied.error().where;
    return std::unexpected(std::move(applied.error()));
  }
  if (::bind(socket->fd(), wanted.native(), static_cast<socklen_t>(wanted.native_size())) != 0) {
    return std::unexpected(base::make_system_error("bind", errno, address.text()));
  }
  const int backlog = static_cast<int>(std::clamp<std::uint32_t>(options.backlog, 1, INT_MAX));
  if (::listen(socket->fd(), backlog) != 0) {
    return std::unexpected(base::make_system_error("listen", errno, address.text()));
  }
  const auto local = socket->local_address();
  if (!local) {
    return std::unexpected(base::make_system_error("getsockname", errno, address.text()));
  }
  return Listener(std::move(*socket), *local, options);
}

std::expected<Listener, base::Error> Listener::adopt(Socket socket, const SocketOptions& options) {
  int listens = 0;
  socklen_t size = sizeof listens;
  const int flags = ::fcntl(socket.fd(), F_GETFL);
  if (flags < 0 || ::fcntl(socket.fd(), F_SETFL, flags | O_NONBLOCK) != 0 ||
      ::getsockopt(socket.fd(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) {
    return std::unexpected(base::make_system_error("adopting a listener", errno, "adopt"));
  }
  const auto local = socket.local_address();
  if (listens == 0 || !local) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "the socket does not listen", "adopt", "P105"});
  }
  return Listener(std::move(socket), *local, options);
}

}  // namespace affix::inline v0::net
