// SPDX-License-Identifier: MIT
// Opens sockets and sets their options.
#include "affix/net/socket.hpp"

#include "affix/base/time.hpp"

#include "net/socket_options.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

using Applied = std::expected<void, base::Error>;

Applied set_option(const Socket& socket, int level, int name, int value, std::string_view text) {
  if (::setsockopt(socket.fd(), level, name, &value, sizeof value) != 0) {
    return std::unexpected(base::make_system_error("setsockopt", errno, std::string(text)));
  }
  return {};
}

int clamped(std::uint32_t value) noexcept {
  return static_cast<int>(std::min<std::uint32_t>(value, INT_MAX));
}

Applied bind_to_interface(const std::string& name, const Socket& socket) {
  if (::setsockopt(socket.fd(), SOL_SOCKET, SO_BINDTODEVICE, name.c_str(),
                   static_cast<socklen_t>(name.size())) != 0) {
    base::Error error = base::make_system_error("setsockopt", errno, "bind_interface " + name);
    error.message_code = "E112";
    return std::unexpected(std::move(error));
  }
  return {};
}

template <typename Ask>
std::optional<Address> ask_address(int fd, Ask ask) noexcept {
  sockaddr_storage native{};
  socklen_t size = sizeof native;
  auto* const pointer = reinterpret_cast<sockaddr*>(&native);
  if (fd < 0 || ask(fd, pointer, &size) != 0) {
    return std::nullopt;
  }
  return Address::from_native(pointer, size);
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

void Socket::close() noexcept {
  if (fd_ >= 0) {
    // Linux has released the descriptor even when close() reports EINTR, so it is never repeated.
    static_cast<void>(::close(fd_));
    fd_ = -1;
  }
}

int Socket::release() noexcept {
  return std::exchange(fd_, -1);
}

std::optional<Address> Socket::local_address() const noexcept {
  return ask_address(fd_, ::getsockname);
}

std::optional<Address> Socket::peer_address() const noexcept {
  return ask_address(fd_, ::getpeername);
}

std::expected<Socket, base::Error> open_socket(const Address& address) {
  Socket socket(::socket(address.native()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
                         IPPROTO_TCP));
  if (!socket.is_open()) {
    return std::unexpected(base::make_system_error("socket", errno, address.text()));
  }
  return socket;
}

std::expected<void, base::Error> apply_to_connection(const SocketOptions& options,
                                                     const Socket& socket) {
  // Also when it is off, since an accepted socket has its listener's setting.
  if (auto set = set_option(socket, IPPROTO_TCP, TCP_NODELAY, options.no_delay ? 1 : 0, "no_delay");
      !set) {
    return set;
  }
  if (options.quick_ack) {
    if (auto set = set_option(socket, IPPROTO_TCP, TCP_QUICKACK, 1, "quick_ack"); !set) {
      return set;
    }
  }
  if (options.receive_buffer_bytes != 0) {
    const int bytes = clamped(options.receive_buffer_bytes);
    if (auto set = set_option(socket, SOL_SOCKET, SO_RCVBUF, bytes, "receive_buffer_bytes"); !set) {
      return set;
    }
  }
  if (options.send_buffer_bytes != 0) {
    const int bytes = clamped(options.send_buffer_bytes);
    if (auto set = set_option(socket, SOL_SOCKET, SO_SNDBUF, bytes, "send_buffer_bytes"); !set) {
      return set;
    }
  }
  if (options.busy_poll_us != 0) {
    if (auto set = set_option(socket, SOL_SOCKET, SO_BUSY_POLL, clamped(options.busy_poll_us),
                              "busy_poll_us");
        !set) {
      return set;
    }
  }
  if (options.receive_stamps != ReceiveStamps::None) {
    int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    if (options.receive_stamps == ReceiveStamps::NetworkCard) {
      flags |= SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
    }
    return set_option(socket, SOL_SOCKET, SO_TIMESTAMPING, flags, "receive_stamps");
  }
  return {};
}

std::expected<void, base::Error> apply(const SocketOptions& options, const Socket& socket) {
  if (!options.bind_interface.empty()) {
    if (auto bound = bind_to_interface(options.bind_interface, socket); !bound) {
      return bound;
    }
  }
  return apply_to_connection(options, socket);
}

std::expected<void, base::Error> begin_transmit_stamps(const Socket& socket) {
  int flags = 0;
  socklen_t size = sizeof flags;
  if (::getsockopt(socket.fd(), SOL_SOCKET, SO_TIMESTAMPING, &flags, &size) != 0) {
    return std::unexpected(base::make_system_error("getsockopt", errno, "transmit_stamps"));
  }
  // The stamp alone, without the sent bytes, identified by the position of the last byte.
  flags |= SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
           SOF_TIMESTAMPING_OPT_TSONLY;
  return set_option(socket, SOL_SOCKET, SO_TIMESTAMPING, flags, "transmit_stamps");
}

std::int64_t stamp_of(msghdr& message) noexcept {
  for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, const_cast<cmsghdr*>(part))) {
    scm_timestamping stamps{};
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPING ||
        part->cmsg_len < CMSG_LEN(sizeof stamps)) {
      continue;
    }
    std::memcpy(&stamps, CMSG_DATA(part), sizeof stamps);
    // The first is the kernel's, the third the card's; the second is obsolete.
    const timespec& card = stamps.ts[2];
    const timespec& stamp = card.tv_sec != 0 || card.tv_nsec != 0 ? card : stamps.ts[0];
    return stamp.tv_sec * base::ns_per_second + stamp.tv_nsec;
  }
  return 0;
}

void rearm_quick_ack(int fd) noexcept {
  const int on = 1;
  // Cannot fail on a TCP socket, and a failure would only cost latency.
  static_cast<void>(::setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on));
}

}  // namespace affix::inline v0::net
