// SPDX-License-Identifier: MIT
// Opens sockets and closes them.
#include "affix/net/socket.hpp"

#include "affix/net/socket_calls.hpp"

#include "net/connection_options.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

std::expected<void, base::Error> bind_to_interface(const std::string& name, const Socket& socket) {
  if (const int error_number = use_interface(socket.fd(), name); error_number != 0) {
    base::Error error =
        base::make_system_error("setsockopt", error_number, "bind_interface " + name);
    error.message_code = "E112";
    return std::unexpected(std::move(error));
  }
  return {};
}

template <typename Ask>
std::optional<Address> ask_address(int fd, Ask ask) noexcept {
  sockaddr_storage native{};
  socklen_t size = sizeof native;
  auto* const pointer = reinterpret_cast<sockaddr*>(&native);
  if (fd < 0 || ask(fd, pointer, &size) != 0) {
    return std::nullopt;
  }
  return Address::from_native(pointer, size);
}

}  // namespace

std::optional<Address> Socket::local_address() const noexcept {
  return ask_address(fd(), ::getsockname);
}

std::optional<Address> Socket::peer_address() const noexcept {
  return ask_address(fd(), ::getpeername);
}

std::expected<Socket, base::Error> open_socket(const Address& address) {
  Socket socket(make_socket(address.native()->sa_family, SOCK_STREAM, Waiting::Never));
  if (!socket.is_open()) {
    return std::unexpected(base::make_system_error("socket", errno, address.text()));
  }
  return socket;
}

std::expected<void, base::Error> apply(const SocketOptions& options, const Socket& socket) {
  if (!options.bind_interface.empty()) {
    if (auto bound = bind_to_interface(options.bind_interface, socket); !bound) {
      return bound;
    }
  }
  return apply_to_connection(options, socket.fd());
}

}  // namespace affix::inline v0::net
