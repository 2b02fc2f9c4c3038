// SPDX-License-Identifier: MIT
// Reads the kernel's counts of a connection until they fit together.
#include "affix/net/stream_position.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

// The kernel's tcp_info. glibc declares the first 104 bytes; the rest is only in <linux/tcp.h>,
// which clashes with glibc's header:
//
//   0        8                104            120           128              136
//   | state  | ... as glibc's | pacing rates | bytes_acked | bytes_received |
constexpr std::size_t acked_at = 120;
constexpr std::size_t received_at = 128;
constexpr std::size_t counts_end = 136;
static_assert(offsetof(tcp_info, tcpi_state) == 0);
static_assert(offsetof(tcp_info, tcpi_total_retrans) == 100);

// The peer's data on its way is limited by our window, and its acknowledgements by what was
// written, so the counts of a connection that nobody uses stand still long before.
constexpr int attempts_max = 10'000;

struct Counts {
  std::uint8_t state = 0;
  std::uint64_t acked = 0;
  std::uint64_t received = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};

std::expected<Counts, base::Error> ask_counts(int descriptor) {
  std::array<char, counts_end> native{};
  socklen_t size = native.size();
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, native.data(), &size) != 0) {
    return std::unexpected(base::make_system_error("getsockopt", errno, "stream_position"));
  }
  if (size < counts_end) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "this kernel does not count the bytes of a connection",
                                       "stream_position", "P105"});
  }
  Counts counts;
  std::memcpy(&counts.state, native.data(), sizeof counts.state);
  std::memcpy(&counts.acked, native.data() + acked_at, sizeof counts.acked);
  std::memcpy(&counts.received, native.data() + received_at, sizeof counts.received);
  return counts;
}

// `queued` bytes were written and not acknowledged, `unread` received and not read, both at a time
// at which the counts were these.
StreamPosition position_of(const Counts& counts, std::uint32_t queued, std::uint32_t unread,
                           Opened opened) noexcept {
  StreamPosition position;
  switch (counts.state) {
    case TCP_ESTABLISHED:
      break;
    case TCP_CLOSE_WAIT:
      position.input_ended = true;
      break;
    case TCP_FIN_WAIT1:
    case TCP_FIN_WAIT2:
      position.output_ended = true;
      break;
    case TCP_CLOSING:
    case TCP_LAST_ACK:
    case TCP_TIME_WAIT:
      position.input_ended = true;
      position.output_ended = true;
      break;
    default:
      position.closed = true;
  }
  // A SYN and a FIN have a sequence number each, as if they were a byte. The counts include our
  // FIN from shutdown() on, the peer's from its arrival on, and our SYN if we sent it first: an
  // accepted socket begins after its own. The count of unread bytes leaves out the peer's FIN.
  position.written =
      counts.acked + queued - (opened == Opened::Here ? 1 : 0) - (position.output_ended ? 1 : 0);
  position.read = counts.received - unread - (position.input_ended ? 1 : 0);
  // It is acknowledged last.
  position.unsent = queued - (position.output_ended && queued != 0 ? 1 : 0);
  position.unread = unread;
  return position;
}

}  // namespace

std::expected<StreamPosition, base::Error> stream_position(int descriptor, Opened opened) {
  auto before = ask_counts(descriptor);
  for (int attempt = 0; before && attempt < attempts_max; ++attempt) {
    if (before->state == TCP_LISTEN || before->state == TCP_SYN_SENT ||
        before->state == TCP_SYN_RECV) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "the connection is not open", "stream_position", "P105"});
    }
    int queued = 0;
    int unread = 0;
    if (::ioctl(descriptor, SIOCOUTQ, &queued) != 0 || ::ioctl(descriptor, SIOCINQ, &unread) != 0) {
      return std::unexpected(base::make_system_error("ioctl", errno, "stream_position"));
    }
    // An acknowledgement or data that came in between would count twice or not at all.
    auto after = ask_counts(descriptor);
    if (after && *after == *before) {
      return position_of(*before, static_cast<std::uint32_t>(queued),
                         static_cast<std::uint32_t>(unread), opened);
    }
    before = std::move(after);
  }
  if (!before) {
    return std::unexpected(std::move(before.error()));
  }
  return std::unexpected(base::Error{base::ErrorCode::Io, "the streams move without pause",
                                     "stream_position", "P105"});
}

}  // namespace affix::inline v0::net
