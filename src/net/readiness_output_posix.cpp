// SPDX-License-Identifier: MIT
// Sends to the kernel at once, and the rest when the socket has room.
#include "net/readiness_reactor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

namespace affix::inline v0::net {

namespace {

// Pieces of one system call. 4 KiB of stack, and far more than a batch needs; the kernel allows
// 1,024.
constexpr std::size_t pieces_max = 256;

constexpr int send_flags = MSG_NOSIGNAL | MSG_DONTWAIT;

// Bytes sent, or -1 with errno; 0 for a full socket.
ssize_t send_vector(int fd, iovec* vector, std::size_t count) noexcept {
  msghdr message{};
  message.msg_iov = vector;
  // musl counts pieces in an int.
  message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(count);
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(fd, &message, send_flags);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 && errno == EAGAIN ? 0 : sent;
}

ssize_t send_one(int fd, std::string_view bytes) noexcept {
  ssize_t sent = 0;
  do {
    sent = ::send(fd, bytes.data(), bytes.size(), send_flags);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 && errno == EAGAIN ? 0 : sent;
}

// Sends as many of the pieces as the kernel accepts at once: bytes sent, or -1 with errno.
ssize_t send_pieces(int fd, std::span<const std::string_view> pieces) noexcept {
  if (pieces.size() == 1) {
    return send_one(fd, pieces.front());
  }
  ssize_t total = 0;
  while (!pieces.empty()) {
    std::array<iovec, pieces_max> vector;  // Initialised below as far as used.
    const std::size_t count = std::min(pieces.size(), pieces_max);
    std::size_t offered = 0;
    for (std::size_t index = 0; index < count; ++index) {
      // The kernel only reads the memory of an iovec that is sent.
      vector[index] = iovec{.iov_base = const_cast<char*>(pieces[index].data()),
                            .iov_len = pieces[index].size()};
      offered += pieces[index].size();
    }
    const ssize_t sent = send_vector(fd, vector.data(), count);
    if (sent < 0) {
      return sent;
    }
    total += sent;
    if (static_cast<std::size_t>(sent) < offered) {
      break;
    }
    pieces = pieces.subspan(count);
  }
  return total;
}

}  // namespace

SendResult ReadinessReactor::send_accepted(std::uint32_t slot,
                                           std::span<const std::string_view> pieces,
                                           std::size_t total) noexcept {
  Connection& connection = connections_[slot];
  std::size_t sent = 0;
  if (connection.output.empty()) {
    const ssize_t taken = send_pieces(connection.socket.fd(), pieces);
    if (taken < 0) {
      break_off(slot, errno);
      return SendResult::Closed;
    }
    sent = static_cast<std::size_t>(taken);
  }
  connection.output_position += total;
  if (sent == total) {
    return SendResult::Sent;
  }
  park(connection, pieces, sent);
  if (!watch(slot)) {
    break_off(slot, errno);
    return SendResult::Closed;
  }
  connection.awaits_drained = true;
  return SendResult::Parked;
}

void ReadinessReactor::continue_output(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  std::array<iovec, 2> vector;
  const std::size_t count = connection.output.pieces(vector, options_.tx_buffer_capacity);
  const ssize_t sent = send_vector(connection.socket.fd(), vector.data(), count);
  if (sent < 0) {
    on_output_fault(slot, errno, handler);
  } else {
    on_output_taken(slot, static_cast<std::size_t>(sent), handler);
  }
}

}  // namespace affix::inline v0::net
