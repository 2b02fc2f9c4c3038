// SPDX-License-Identifier: MIT
// An owned socket descriptor. The reactor reads and writes it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"
#include "affix/net/socket_options.hpp"
#include "affix/os/file_descriptor.hpp"

#include <expected>
#include <optional>

namespace affix::inline v0::net {

/// Owns one descriptor and closes it. Move only.
class Socket {
 public:
  Socket() noexcept = default;

  /// Takes ownership of `fd`; -1 for none.
  explicit Socket(int fd) noexcept : file_(fd) {}

  /// Closes now, if open. Never blocks. The kernel still sends output that it accepted, unless
  /// unread input exists: then it resets the connection.
  void close() noexcept { file_ = {}; }

  /// Releases the descriptor to the caller, who must close it.
  [[nodiscard]] int release() noexcept { return file_.release(); }

  [[nodiscard]] int fd() const noexcept { return file_.number(); }

  [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }

  /// Addresses of both ends; nothing if not connected. A system call each.
  [[nodiscard]] std::optional<Address> local_address() const noexcept;
  [[nodiscard]] std::optional<Address> peer_address() const noexcept;

 private:
  os::FileDescriptor file_;
};

/// Opens a non-blocking, close-on-exec TCP socket for the family of `address`. Io: the system
/// refused, or has no descriptors left.
[[nodiscard]] std::expected<Socket, base::Error> open_socket(const Address& address);

/// Sets all options of a TCP socket except bind_address and backlog. If one cannot be set, the
/// error names it: none is skipped silently.
[[nodiscard]] std::expected<void, base::Error> apply(const SocketOptions& options,
                                                     const Socket& socket);

}  // namespace affix::inline v0::net
