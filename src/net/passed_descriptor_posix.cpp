// SPDX-License-Identifier: MIT
// One system call with ancillary data.
#include "net/passed_descriptor.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/uio.h>

namespace affix::inline v0::net {

int send_with_descriptor(int socket, std::string_view bytes, int descriptor,
                         const sockaddr* address, socklen_t address_size) noexcept {
  // Sending writes to neither.
  iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr packet{};
  packet.msg_name = const_cast<sockaddr*>(address);
  packet.msg_namelen = address_size;
  packet.msg_iov = &piece;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  if (descriptor >= 0) {
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return ::sendmsg(socket, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

}  // namespace affix::inline v0::net
