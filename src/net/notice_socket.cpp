// SPDX-License-Identifier: MIT
// A socket for each datagram: there are few.
#include "net/notice_socket.hpp"

#include "affix/net/socket.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

namespace affix::inline v0::net {

int send_notice(std::string_view path, std::string_view text, int descriptor) noexcept {
  sockaddr_un address{};
  if (path.size() < 2 || path.size() >= sizeof address.sun_path) {
    return EINVAL;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path.front() == '@') {
    address.sun_path[0] = '\0';
  }
  const Socket sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!sender.is_open()) {
    return errno;
  }
  // Sending does not write to the text.
  iovec piece{const_cast<char*>(text.data()), text.size()};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  // Never waits: a listener that does not read must not delay the sender.
  return ::sendmsg(sender.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

}  // namespace affix::inline v0::net
