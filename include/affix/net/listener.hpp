// SPDX-License-Identifier: MIT
// A listening TCP socket. Opened at start-up and moved into a reactor, which accepts from it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"
#include "affix/net/socket.hpp"

#include <expected>
#include <utility>

namespace affix::inline v0::net {

/// Owns the listening socket and the options for accepted sockets. Move only.
class Listener {
 public:
  /// Binds and listens. Port 0 lets the system choose; see local_address(). AlreadyExists: the port
  /// is in use. Denied: a privileged port. "[::]" and "*" accept IPv4 peers too.
  [[nodiscard]] static std::expected<Listener, base::Error> open(const Address& address,
                                                                 const SocketOptions& options);

  /// Takes ownership of a socket that listens already, such as a duplicate from Reactor::share(),
  /// and makes it non-blocking. `options` are those of the accepted sockets. InvalidArgument: it
  /// does not listen. Io: it is no socket.
  [[nodiscard]] static std::expected<Listener, base::Error> adopt(Socket socket,
                                                                  const SocketOptions& options);

  /// Where it listens, with the port that the system chose.
  [[nodiscard]] const Address& local_address() const noexcept { return local_address_; }

  /// As given to open() or adopt().
  [[nodiscard]] const SocketOptions& options() const noexcept { return options_; }

  /// The listening socket, which this object owns.
  [[nodiscard]] const Socket& socket() const noexcept { return socket_; }

 private:
  Listener(Socket socket, const Address& local_address, const SocketOptions& options)
      : socket_(std::move(socket)), local_address_(local_address), options_(options) {}

  Socket socket_;
  Address local_address_;
  SocketOptions options_;
};

}  // namespace affix::inline v0::net
