// SPDX-License-Identifier: MIT
// Sets the options one by one, and reads stamps from control messages.
#include "affix/base/time.hpp"

#include "net/connection_options.hpp"
#include "net/control_message.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
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

int clamped(std::uint32_t value) noexcept {
  return static_cast<int>(std::min<std::uint32_t>(value, INT_MAX));
}

}  // namespace

std::expected<void, base::Error> apply_to_connection(const SocketOptions& options, int fd) {
  // Also when it is off, since an accepted socket has its listener's setting.
  if (auto set = set_option(fd, IPPROTO_TCP, TCP_NODELAY, options.no_delay ? 1 : 0, "no_delay");
      !set) {
    return set;
  }
  if (options.quick_ack) {
    if (auto set = set_option(fd, IPPROTO_TCP, TCP_QUICKACK, 1, "quick_ack"); !set) {
      return set;
    }
  }
  if (options.receive_buffer_bytes != 0) {
    const int bytes = clamped(options.receive_buffer_bytes);
    if (auto set = set_option(fd, SOL_SOCKET, SO_RCVBUF, bytes, "receive_buffer_bytes"); !set) {
      return set;
    }
  }
  if (options.send_buffer_bytes != 0) {
    const int bytes = clamped(options.send_buffer_bytes);
    if (auto set = set_option(fd, SOL_SOCKET, SO_SNDBUF, bytes, "send_buffer_bytes"); !set) {
      return set;
    }
  }
  if (options.busy_poll_us != 0) {
    if (auto set =
            set_option(fd, SOL_SOCKET, SO_BUSY_POLL, clamped(options.busy_poll_us), "busy_poll_us");
        !set) {
      return set;
    }
  }
  if (options.receive_stamps != ReceiveStamps::None) {
    int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    if (options.receive_stamps == ReceiveStamps::NetworkCard) {
      flags |= SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
    }
    return set_option(fd, SOL_SOCKET, SO_TIMESTAMPING, flags, "receive_stamps");
  }
  return {};
}

std::expected<void, base::Error> begin_transmit_stamps(int fd) {
  int flags = 0;
  socklen_t size = sizeof flags;
  if (::getsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, &size) != 0) {
    return std::unexpected(base::make_system_error("getsockopt", errno, "transmit_stamps"));
  }
  // The stamp alone, without the sent bytes, identified by the position of the last byte.
  flags |= SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
           SOF_TIMESTAMPING_OPT_TSONLY;
  return set_option(fd, SOL_SOCKET, SO_TIMESTAMPING, flags, "transmit_stamps");
}

std::int64_t stamp_of(msghdr& message) noexcept {
  for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = next_control_message(message, part)) {
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
