// SPDX-License-Identifier: MIT
// Packets with their ancillary data.
#include "keeper/packet.hpp"
#include "net/control_message.hpp"
#include "net/passed_descriptor.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <span>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

struct Descriptors {
  net::Socket last{};  ///< The others are closed.
  std::size_t count = 0;
};

Descriptors take_descriptors(msghdr& message) noexcept {
  Descriptors taken;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = net::next_control_message(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len; at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, reinterpret_cast<const char*>(header) + at, sizeof number);
      taken.last = net::Socket(number);
      ++taken.count;
    }
  }
  return taken;
}

}  // namespace

int send_packet(const net::Socket& socket, const Message& message, int descriptor) noexcept {
  return net::send_with_descriptor(
      socket.fd(), {reinterpret_cast<const char*>(&message), sizeof message}, descriptor);
}

bool is_full(int error_number) noexcept {
  // ETOOMANYREFS: too many descriptors of this user are on their way.
  return error_number == EAGAIN || error_number == ETOOMANYREFS || error_number == ENOBUFS ||
         error_number == ENOMEM;
}

Packet receive_packet(const net::Socket& socket) noexcept {
  Packet result;
  // One byte more than a message, so that a longer packet is seen.
  std::array<std::byte, sizeof(Message) + 1> bytes;
  iovec piece{bytes.data(), bytes.size()};
  // Room for two descriptors: one is expected, and more must not look like one.
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr packet{};
  packet.msg_iov = &piece;
  packet.msg_iovlen = 1;
  packet.msg_control = control.data();
  packet.msg_controllen = control.size();
  ssize_t size = ::recvmsg(socket.fd(), &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0 && errno == ECONNRESET) {
    // Reported first, once, if the other side had not read everything; what it sent comes after it.
    size = ::recvmsg(socket.fd(), &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  }
  if (size < 0) {
    result.arrived = errno == EAGAIN ? Arrived::Nothing : Arrived::Ended;
    return result;
  }
  // An empty packet looks like the end, and may have some, too.
  Descriptors descriptors = take_descriptors(packet);
  if (size == 0) {
    result.arrived = Arrived::Ended;
    return result;
  }
  result.socket = std::move(descriptors.last);
  const ReadMessage read = read_message(std::span(bytes).first(static_cast<std::size_t>(size)));
  result.message = read.message;
  result.no_room = descriptors.count == 0 && (packet.msg_flags & MSG_CTRUNC) != 0;
  result.arrived = read.fault == MessageFault::Version ? Arrived::Version
                   : read.fault == MessageFault::Garbage || descriptors.count > 1
                       ? Arrived::Garbage
                       : Arrived::Message;
  return result;
}

PeerProcess peer_process(const net::Socket& socket) noexcept {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
    return {};
  }
  return {credentials.uid, credentials.pid};
}

std::optional<sockaddr_un> address_of(std::string_view path) noexcept {
  sockaddr_un address{};
  // One byte less than there is, for the end.
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return std::nullopt;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

bool may_be_kept(int descriptor) noexcept {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0) {
    return protocol == IPPROTO_TCP;
  }
  struct stat found{};
  return ::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

}  // namespace affix::inline v0::keeper
