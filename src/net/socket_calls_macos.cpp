// SPDX-License-Identifier: MIT
// macOS's calls, which set the flags of a socket after it was made.
#include "affix/base/time.hpp"
#include "affix/net/socket_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

namespace affix::inline v0::net {

namespace {

/// Closed if the flags cannot be set.
int with_flags(int socket, Waiting waiting) noexcept {
  const int on = 1;
  if (socket < 0) {
    return socket;
  }
  // A peer that has gone refuses the option, and the next call on the socket reports it.
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on));
  if (::fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 &&
      (waiting == Waiting::Allowed || ::fcntl(socket, F_SETFL, O_NONBLOCK) == 0)) {
    return socket;
  }
  const int kept = errno;
  ::close(socket);
  errno = kept;
  return -1;
}

}  // namespace

int make_socket(int family, int type, Waiting waiting) noexcept {
  return with_flags(::socket(family, type, 0), waiting);
}

int accept_socket(int listener, sockaddr* from, socklen_t* size) noexcept {
  return with_flags(::accept(listener, from, size), Waiting::Never);
}

int use_interface(int socket, const std::string& name) noexcept {
  const unsigned index = ::if_nametoindex(name.c_str());
  if (index == 0) {
    return errno;
  }
  // A socket is of one family, and the other's option is refused.
  if (::setsockopt(socket, IPPROTO_IP, IP_BOUND_IF, &index, sizeof index) == 0 ||
      ::setsockopt(socket, IPPROTO_IPV6, IPV6_BOUND_IF, &index, sizeof index) == 0) {
    return 0;
  }
  return errno;
}

void choose_port_late(int /*socket*/) noexcept {}

std::int64_t unsent_bytes(int socket) noexcept {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  return ::getsockopt(socket, SOL_SOCKET, SO_NWRITE, &bytes, &size) == 0 ? bytes : 0;
}

int wait_for_events(std::span<pollfd> descriptors, std::int64_t timeout_ns) noexcept {
  // Rounded up: a wait that ends early would be repeated at once, until it is due.
  const std::int64_t ms = (timeout_ns + base::ns_per_ms - 1) / base::ns_per_ms;
  return ::poll(descriptors.data(), static_cast<nfds_t>(descriptors.size()),
                static_cast<int>(std::min<std::int64_t>(ms, INT_MAX)));
}

}  // namespace affix::inline v0::net
