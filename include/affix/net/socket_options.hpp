// SPDX-License-Identifier: MIT
// Options of a TCP socket.
#pragma once

#include "affix/net/address.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::net {

/// Source of the arrival time of bytes (SO_TIMESTAMPING), besides the clock read by the
/// worker. Adds one control message to every read, and io_uring must copy a header for each
/// receive.
enum class ReceiveStamps : std::uint8_t {
  None,
  Kernel,       ///< The kernel, when it takes the packet from the driver: the system's UTC clock.
  NetworkCard,  ///< The card's clock, which needs synchronisation (PTP); packets without its stamp
                ///< get the kernel's.
};

/// Options of a socket, for accepted connections and those that we open.
struct SocketOptions {
  /// TCP_NODELAY: sends a message immediately. The engine batches by itself.
  bool no_delay = true;
  /// TCP_QUICKACK, set again after every read because the kernel clears it: one more system call
  /// per read.
  bool quick_ack = false;
  /// SO_RCVBUF and SO_SNDBUF; 0 keeps the system's autotuning, which an explicit size disables.
  std::uint32_t receive_buffer_bytes = 0;
  std::uint32_t send_buffer_bytes = 0;
  /// SO_BUSY_POLL in microseconds, 0 = off. More than the system's default needs CAP_NET_ADMIN.
  std::uint32_t busy_poll_us = 0;
  ReceiveStamps receive_stamps = ReceiveStamps::None;
  /// The kernel reports when it passed output to the driver (SO_TIMESTAMPING):
  /// Handler::on_transmitted(). Adds one message in its error queue per send, and the system call
  /// that reads it. For connections that a reactor accepts or opens.
  bool transmit_stamps = false;
  /// Local address of connections that we open; port 0 lets the system choose. A listener uses its
  /// own address.
  std::optional<Address> bind_address;
  /// SO_BINDTODEVICE: name of the only network interface to use, empty = any.
  std::string bind_interface;
  /// Maximum connections that the kernel completes for a listener before they are accepted; the
  /// system may reduce it.
  std::uint32_t backlog = 1024;
};

}  // namespace affix::inline v0::net
