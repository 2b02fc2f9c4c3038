// SPDX-License-Identifier: MIT
// Sends and receives messages with their descriptors on a packet socket. Never waits, never
// allocates, and lets no received descriptor leak.
#pragma once

#include "affix/net/socket.hpp"

#include "keeper/protocol.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <sys/un.h>

namespace affix::inline v0::keeper {

/// Sends with a duplicate of `descriptor`, if that is not negative. Returns 0 or errno.
[[nodiscard]] int send_packet(const net::Socket& socket, const Message& message,
                              int descriptor = -1) noexcept;

/// True: the receiver has no room now, and may have later.
[[nodiscard]] bool is_full(int error_number) noexcept;

enum class Arrived : std::uint8_t {
  Message,
  Nothing,  ///< Now.
  Ended,    ///< The other side has closed, or the connection is broken.
  Version,  ///< A message of another version.
  Garbage,  ///< No message, or one with several descriptors.
};

struct Packet {
  Arrived arrived = Arrived::Nothing;
  Message message{};     ///< Only of Arrived::Message.
  net::Socket socket{};  ///< Its descriptor, close-on-exec; closed if it has none.
  bool no_room = false;  ///< It had a descriptor for which this process has no room.
};

/// Takes one packet.
[[nodiscard]] Packet receive_packet(const net::Socket& socket) noexcept;

/// User and process at the other end, when it connected or began to listen.
struct PeerProcess {
  uid_t user = static_cast<uid_t>(-1);  ///< -1: not known.
  pid_t process = 0;
};

[[nodiscard]] PeerProcess peer_process(const net::Socket& socket) noexcept;

/// Address of the socket file `path`; nullopt if that is empty or too long.
[[nodiscard]] std::optional<sockaddr_un> address_of(std::string_view path) noexcept;

/// True for TCP sockets and files, as of memory (memfd_create). A duplicate of a keeper's own
/// connection would never let that end.
[[nodiscard]] bool may_be_kept(int descriptor) noexcept;

}  // namespace affix::inline v0::keeper
