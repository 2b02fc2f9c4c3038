// SPDX-License-Identifier: MIT
// Sets the options that macOS has, and names the others.
#include "net/connection_options.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>

namespace affix::inline v0::net {

namespace {

using Applied = std::expected<void, base::Error>;

Applied set_option(int fd, int level, int name, int value, std::string_view text) {
  if (::setsockopt(fd, level, name, &value, sizeof value) != 0) {
    return std::unexpected(base::make_system_error("setsockopt", errno, std::string(text)));
  }
  return {};
}

Applied only_linux(const char* option) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "this option of sockets is Linux's", option, "E107"});
}

int clamped(std::uint32_t value) noexcept {
  return static_cast<int>(std::min<std::uint32_t>(value, INT_MAX));
}

}  // namespace

std::expected<void, base::Error> apply_to_connection(const SocketOptions& options, int fd) {
  if (options.quick_ack) {
    return only_linux("quick_ack");
  }
  if (options.busy_poll_us != 0) {
    return only_linux("busy_poll_us");
  }
  if (options.receive_stamps != ReceiveStamps::None) {
    return only_linux("receive_stamps");
  }
  // Also when it is off, since an accepted socket has its listener's setting.
  if (auto set = set_option(fd, IPPROTO_TCP, TCP_NODELAY, options.no_delay ? 1 : 0, "no_delay");
      !set) {
    return set;
  }
  if (options.receive_buffer_bytes != 0) {
    const int bytes = clamped(options.receive_buffer_bytes);
    if (auto set = set_option(fd, SOL_SOCKET, SO_RCVBUF, bytes, "receive_buffer_bytes"); !set) {
      return set;
    }
  }
  if (options.send_buffer_bytes != 0) {
    return set_option(fd, SOL_SOCKET, SO_SNDBUF, clamped(options.send_buffer_bytes),
                      "send_buffer_bytes");
  }
  return {};
}

std::expected<void, base::Error> begin_transmit_stamps(int /*fd*/) {
  return only_linux("transmit_stamps");
}

std::int64_t stamp_of(msghdr& /*message*/) noexcept {
  return 0;
}

void rearm_quick_ack(int /*fd*/) noexcept {}

}  // namespace affix::inline v0::net
