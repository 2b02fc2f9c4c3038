// SPDX-License-Identifier: MIT
// Cost of each connection for a loop that only reads and sends, without framing, checking or
// storing.
#include "raw_loop.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace affix_bench {

namespace {

using namespace affix;

constexpr std::array<char, 76> heartbeat{'8'};  ///< As long as one of FIX.4.4 with short names.

[[noreturn]] void fail(const char* call) {
  std::fprintf(stderr, "idle: raw loop: %s: %s\n", call, std::strerror(errno));
  std::_Exit(1);
}

}  // namespace

RawLoop::RawLoop()
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener_ < 0 || epoll_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&loopback), sizeof(loopback)) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0) {
    fail("listen");
  }
}

RawLoop::~RawLoop() {
  for (const int socket : sockets_) {
    ::close(socket);
  }
  ::close(listener_);
  ::close(epoll_);
}

net::Address RawLoop::address() const {
  sockaddr_in bound{};
  socklen_t size = sizeof(bound);
  if (::getsockname(listener_, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    fail("getsockname");
  }
  return net::Address::from_native(reinterpret_cast<const sockaddr*>(&bound), size);
}

void RawLoop::accept(int connections, std::int64_t interval_ns) {
  interval_ns_ = interval_ns;
  for (int connection = 0; connection < connections; ++connection) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    std::array<char, 4096> input;
    if (socket < 0 || ::recv(socket, input.data(), input.size(), 0) <= 0) {
      fail("accept");
    }
    sockets_.push_back(socket);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = socket;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) {
      fail("epoll_ctl");
    }
    send_heartbeat(socket);
  }
  messages_ = 0;
}

void RawLoop::run(std::int64_t duration_ns) {
  std::int64_t now_ns = os::now().steady_ns;
  for (const std::int64_t end_ns = now_ns + duration_ns; now_ns < end_ns;) {
    const std::int64_t wake_ns = due_.empty() ? end_ns : std::min(end_ns, due_.front().at_ns);
    const std::int64_t wait_ns = std::max<std::int64_t>(0, wake_ns - now_ns);
    const timespec wait{wait_ns / base::ns_per_second, wait_ns % base::ns_per_second};
    std::array<epoll_event, 256> events;
    const int count =
        ::epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &wait, nullptr);
    if (count < 0 && errno != EINTR) {
      fail("epoll_pwait2");
    }
    for (int at = 0; at < count; ++at) {
      std::array<char, 4096> input;
      if (::recv(events[static_cast<std::size_t>(at)].data.fd, input.data(), input.size(), 0) <=
          0) {
        fail("recv");
      }
      ++messages_;
    }
    now_ns = os::now().steady_ns;
    while (!due_.empty() && due_.front().at_ns <= now_ns) {
      const int socket = due_.front().socket;
      due_.pop_front();
      send_heartbeat(socket);
    }
  }
}

void RawLoop::send_heartbeat(int socket) {
  if (::send(socket, heartbeat.data(), heartbeat.size(), MSG_NOSIGNAL) < 0) {
    fail("send");
  }
  ++messages_;
  due_.push_back({os::now().steady_ns + interval_ns_, socket});
}

}  // namespace affix_bench
