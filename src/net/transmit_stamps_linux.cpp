// SPDX-License-Identifier: MIT
// Reads from a socket's error queue when output left.
#include "net/connection_options.hpp"
#include "net/control_message.hpp"
#include "net/socket_reactor.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

namespace affix::inline v0::net {

namespace {

/// Messages of one system call: a turn rarely has more sends on one connection.
constexpr std::size_t stamps_at_once = 16;

/// The stamp, and the kernel's description of its message, which an address may follow.
constexpr std::size_t control_bytes =
    stamp_control_bytes + CMSG_SPACE(sizeof(sock_extended_err) + sizeof(sockaddr_in6));

/// Number of the last byte that a stamp covers, modulo 2^32; nullopt when the message is not about
/// output that went to the driver.
std::optional<std::uint32_t> last_byte_of(msghdr& message) noexcept {
  for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = next_control_message(message, part)) {
    const bool described = (part->cmsg_level == SOL_IP && part->cmsg_type == IP_RECVERR) ||
                           (part->cmsg_level == SOL_IPV6 && part->cmsg_type == IPV6_RECVERR);
    sock_extended_err description{};
    if (!described || part->cmsg_len < CMSG_LEN(sizeof description)) {
      continue;
    }
    std::memcpy(&description, CMSG_DATA(part), sizeof description);
    if (description.ee_origin == SO_EE_ORIGIN_TIMESTAMPING &&
        description.ee_info == SCM_TSTAMP_SND) {
      return description.ee_data;
    }
  }
  return std::nullopt;
}

}  // namespace

bool SocketReactor::take_transmit_stamps(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const std::uint32_t generation = connection.generation;

  struct Control {
    alignas(cmsghdr) std::array<char, control_bytes> bytes;
  };

  std::array<Control, stamps_at_once> controls;  // The kernel fills as many as are announced.
  std::array<mmsghdr, stamps_at_once> messages{};
  bool any = false;
  for (;;) {
    for (std::size_t which = 0; which < stamps_at_once; ++which) {
      messages[which] = {};
      messages[which].msg_hdr.msg_control = controls[which].bytes.data();
      messages[which].msg_hdr.msg_controllen = control_bytes;
    }
    int got = 0;
    do {
      got = ::recvmmsg(connection.socket.fd(), messages.data(), stamps_at_once,
                       MSG_ERRQUEUE | MSG_DONTWAIT, nullptr);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
      return any;
    }
    any = true;
    for (std::size_t which = 0; which < static_cast<std::size_t>(got); ++which) {
      msghdr& message = messages[which].msg_hdr;
      const std::optional<std::uint32_t> last = last_byte_of(message);
      const std::int64_t utc_ns = stamp_of(message);
      if (!last || utc_ns == 0) {
        continue;
      }
      // The kernel counts modulo 2^32; a retransmission is reported again, with a lower position.
      const auto ahead = static_cast<std::int32_t>(
          *last + 1 - static_cast<std::uint32_t>(connection.transmitted_position));
      if (ahead <= 0) {
        continue;
      }
      connection.transmitted_position += static_cast<std::uint32_t>(ahead);
      if (connection.phase == Connection::Phase::Open && !connection.end_reported) {
        handler.on_transmitted(id_of(slot), connection.transmitted_position, utc_ns);
        if (connection.generation != generation) {
          return true;
        }
      }
    }
    if (static_cast<std::size_t>(got) < stamps_at_once) {
      return true;
    }
  }
}

}  // namespace affix::inline v0::net
