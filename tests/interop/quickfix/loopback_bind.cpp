// SPDX-License-Identifier: MIT
// QuickFIX 1.15 binds its acceptor to every interface and does not report its port for port 0. The
// dynamic linker finds this definition of bind() before libc's, so QuickFIX calls it: it listens on
// loopback only, and the port can be printed without a race.
#include "loopback_bind.hpp"

#include <atomic>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> bound_port{0};

}  // namespace

extern "C" int bind(int descriptor, const struct sockaddr* address, socklen_t length) noexcept {
  if (address->sa_family != AF_INET || length < sizeof(sockaddr_in)) {
    return static_cast<int>(syscall(SYS_bind, descriptor, address, length));
  }
  sockaddr_in loopback;
  std::memcpy(&loopback, address, sizeof loopback);
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const long result = syscall(SYS_bind, descriptor, &loopback, sizeof loopback);
  socklen_t size = sizeof loopback;
  if (result == 0 && getsockname(descriptor, reinterpret_cast<sockaddr*>(&loopback), &size) == 0) {
    bound_port = ntohs(loopback.sin_port);
  }
  return static_cast<int>(result);
}

namespace interop {

int last_bound_port() noexcept {
  return bound_port;
}

}  // namespace interop
