// SPDX-License-Identifier: MIT
// A socket for each datagram: there are few.
#include "affix/net/notice_socket.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"

#include "net/passed_descriptor.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
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
  const Socket sender(make_socket(AF_UNIX, SOCK_DGRAM, Waiting::Allowed));
  if (!sender.is_open()) {
    return errno;
  }
  // Never waits: a listener that does not read must not delay the sender.
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  return send_with_descriptor(sender.fd(), text, descriptor,
                              reinterpret_cast<const sockaddr*>(&address), size);
}

}  // namespace affix::inline v0::net
