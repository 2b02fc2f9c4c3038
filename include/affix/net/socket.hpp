// SPDX-License-Identifier: MIT
// An owned socket descriptor, and the options a TCP socket is opened with.
// Knows nothing of reading and writing: that is the reactor's.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace affix::inline v0::net {

/// Who says when bytes arrived (SO_TIMESTAMPING), beside the clock that is read when they are
/// looked at. One control message more for every read, and no io_uring receive without a copied
/// header.
enum class ReceiveStamps : std::uint8_t {
  None,
  Kernel,       ///< The kernel, as it takes the packet from the driver: the system's UTC clock.
  NetworkCard,  ///< The card, by its own clock, which somebody must keep (PTP); packets that it did
                ///< not stamp have the kernel's.
};

/// How a socket is set up. The same for a listener's accepted sockets and for connections we open.
struct SocketOptions {
  /// TCP_NODELAY: a message leaves when it is sent. The engine batches for itself.
  bool no_delay = true;
  /// TCP_QUICKACK, set again after every read, since the kernel forgets it: one more system call a
  /// read.
  bool quick_ack = false;
  /// SO_RCVBUF and SO_SNDBUF; 0 leaves the system's autotuning on, which naming a size turns off.
  std::uint32_t receive_buffer_bytes = 0;
  std::uint32_t send_buffer_bytes = 0;
  /// SO_BUSY_POLL in microseconds, 0 = off. More than the system's default needs CAP_NET_ADMIN.
  std::uint32_t busy_poll_us = 0;
  ReceiveStamps receive_stamps = ReceiveStamps::None;
  /// Where a connection we open comes from; port 0 lets the system choose. A listener has its own
  /// address.
  std::optional<Address> bind_address;
  /// SO_BINDTODEVICE: the name of the only network interface to use, empty = any.
  std::string bind_interface;
  /// Connections the kernel completes for a listener before they are accepted; the system may cap
  /// it.
  std::uint32_t backlog = 1024;
};

/// Owns one descriptor and closes it. Move only.
class Socket {
 public:
  Socket() noexcept = default;

  /// Takes `fd` over; -1 for none.
  explicit Socket(int fd) noexcept : fd_(fd) {}

  Socket(Socket&& other) noexcept : fd_(other.release()) {}

  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  ~Socket() { close(); }

  /// Closes now, if there is something to close. Never waits; output already given to the kernel is
  /// still sent by it, unless input lies unread, when the kernel resets the connection instead.
  void close() noexcept;

  /// Gives the descriptor up to the caller, who closes it.
  [[nodiscard]] int release() noexcept;

  [[nodiscard]] int fd() const noexcept { return fd_; }

  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

  /// Our end and the peer's; nothing when it is not connected.
  [[nodiscard]] std::optional<Address> local_address() const noexcept;
  [[nodiscard]] std::optional<Address> peer_address() const noexcept;

 private:
  int fd_ = -1;
};

/// A non-blocking, close-on-exec TCP socket for the family of `address`. Io: the system refused, or
/// has no descriptor left.
[[nodiscard]] std::expected<Socket, base::Error> open_socket(const Address& address);

/// Sets the options that belong to every TCP socket (not bind_address and backlog). Every option
/// asked for is set or is an error that names it: nothing is left out silently.
[[nodiscard]] std::expected<void, base::Error> apply(const SocketOptions& options,
                                                     const Socket& socket);

}  // namespace affix::inline v0::net
