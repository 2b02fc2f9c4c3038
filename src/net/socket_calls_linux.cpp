// SPDX-License-Identifier: MIT
// Linux's calls, which take the flags of a new socket.
#include "affix/base/time.hpp"
#include "affix/net/socket_calls.hpp"

#include <cerrno>
#include <ctime>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

namespace affix::inline v0::net {

int make_socket(int family, int type, Waiting waiting) noexcept {
  const int flags = SOCK_CLOEXEC | (waiting == Waiting::Never ? SOCK_NONBLOCK : 0);
  return ::socket(family, type | flags, 0);
}

int accept_socket(int listener, sockaddr* from, socklen_t* size) noexcept {
  return ::accept4(listener, from, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int use_interface(int socket, const std::string& name) noexcept {
  return ::setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, name.c_str(),
                      static_cast<socklen_t>(name.size())) == 0
             ? 0
             : errno;
}

void choose_port_late(int socket) noexcept {
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on));
}

std::int64_t unsent_bytes(int socket) noexcept {
  int bytes = 0;
  return ::ioctl(socket, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

int wait_for_events(std::span<pollfd> descriptors, std::int64_t timeout_ns) noexcept {
  const timespec timeout{.tv_sec = timeout_ns / base::ns_per_second,
                         .tv_nsec = timeout_ns % base::ns_per_second};
  return ::ppoll(descriptors.data(), descriptors.size(), &timeout, nullptr);
}

}  // namespace affix::inline v0::net
