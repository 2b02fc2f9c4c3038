// SPDX-License-Identifier: MIT
// Sending, parking what the kernel does not take, and ending connections.
#include "net/reactor_epoll.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

namespace affix::inline v0::net {

namespace {

// Pieces of one system call. 4 KiB of stack, and far more than a batch holds; the kernel takes up
// to 1,024.
constexpr std::size_t pieces_max = 256;

constexpr int send_flags = MSG_NOSIGNAL | MSG_DONTWAIT;

// Bytes taken, or -1 with errno; a full socket is 0 taken.
ssize_t send_vector(int fd, iovec* vector, std::size_t count) noexcept {
  msghdr message{};
  message.msg_iov = vector;
  message.msg_iovlen = count;
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

// Gives the kernel as much of the pieces as it takes at once: bytes taken, or -1 with errno.
ssize_t send_pieces(int fd, std::span<const std::string_view> pieces) noexcept {
  if (pieces.size() == 1) {
    return send_one(fd, pieces.front());
  }
  ssize_t total = 0;
  while (!pieces.empty()) {
    std::array<iovec, pieces_max> vector;  // Filled below as far as it is used.
    const std::size_t count = std::min(pieces.size(), pieces_max);
    std::size_t offered = 0;
    for (std::size_t index = 0; index < count; ++index) {
      // The kernel only reads what an iovec of a send points to.
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

CloseReason close_reason_of(int error_number) noexcept {
  switch (error_number) {
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
      return CloseReason::PeerReset;
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
      return CloseReason::PeerVanished;
    default:
      return CloseReason::Failed;
  }
}

SendResult EpollReactor::send(ConnectionId connection,
                              std::span<const std::string_view> pieces) noexcept {
  Connection* found = find(connection);
  if (found == nullptr || found->phase != Connection::Phase::Open || found->broken) {
    return SendResult::Closed;
  }
  std::size_t total = 0;
  for (const std::string_view piece : pieces) {
    total += piece.size();
  }
  const std::size_t capacity = options_.tx_buffer_capacity;
  const bool waits = !found->output.empty();
  if (total > capacity - found->output.size()) {
    return SendResult::Overflow;
  }
  std::size_t sent = 0;
  if (!waits && total != 0) {
    const ssize_t taken = send_pieces(found->socket.fd(), pieces);
    if (taken < 0) {
      break_off(connection.slot, errno);
      return SendResult::Closed;
    }
    sent = static_cast<std::size_t>(taken);
    if (sent == total) {
      return SendResult::Sent;
    }
  }
  for (const std::string_view piece : pieces) {
    const std::size_t skipped = std::min(sent, piece.size());
    sent -= skipped;
    found->output.append(piece.substr(skipped), capacity, output_blocks_);
  }
  if (!watch(connection.slot)) {
    break_off(connection.slot, errno);
    return SendResult::Closed;
  }
  return found->output.empty() ? SendResult::Sent : SendResult::Parked;
}

void EpollReactor::continue_output(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const std::size_t capacity = options_.tx_buffer_capacity;
  std::array<iovec, 2> vector;
  const std::size_t count = connection.output.pieces(vector, capacity);
  const ssize_t sent = send_vector(connection.socket.fd(), vector.data(), count);
  if (sent < 0) {
    const int error_number = errno;
    if (connection.phase == Connection::Phase::Open) {
      break_off(slot, error_number);
    } else {
      end(slot, close_reason_of(error_number), error_number, handler);
    }
    return;
  }
  connection.output.consume(static_cast<std::size_t>(sent), capacity, output_blocks_);
  if (!connection.output.empty()) {
    return;
  }
  if (connection.phase == Connection::Phase::Flushing) {
    on_flushed(slot, handler);
    return;
  }
  static_cast<void>(watch(slot));
  handler.on_drained(id_of(slot));
}

// The stream to the peer is broken. What the peer sent before can still be read, so the next turn
// does that first and then ends the connection.
void EpollReactor::break_off(std::uint32_t slot, int error_number) noexcept {
  Connection& connection = connections_[slot];
  connection.broken = true;
  connection.end_reason = close_reason_of(error_number);
  connection.end_error = error_number;
  connection.output.drop(output_blocks_);
  static_cast<void>(watch(slot));
  queue(slot);
}

// All output is with the kernel.
void EpollReactor::on_flushed(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  static_cast<void>(::shutdown(connection.socket.fd(), SHUT_WR));
  if (connection.input_ended) {
    end(slot, CloseReason::Flushed, 0, handler);
    return;
  }
  connection.phase = Connection::Phase::Lingering;
  if (!watch(slot)) {
    end(slot, CloseReason::Failed, errno, handler);
  }
}

bool EpollReactor::close(ConnectionId connection) noexcept {
  if (find(connection) == nullptr) {
    return false;
  }
  free_slot(connection.slot);
  return true;
}

bool EpollReactor::close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept {
  Connection* found = find(connection);
  if (found == nullptr || found->phase == Connection::Phase::Flushing ||
      found->phase == Connection::Phase::Lingering) {
    return false;
  }
  if (found->phase == Connection::Phase::Connecting) {
    free_slot(connection.slot);
    return true;
  }
  deadlines_.set(connection.slot, deadline_ns);
  drop_input(*found);
  found->paused = false;
  if (found->output.empty()) {
    static_cast<void>(::shutdown(found->socket.fd(), SHUT_WR));
    found->phase = Connection::Phase::Lingering;
  } else {
    found->phase = Connection::Phase::Flushing;
  }
  static_cast<void>(watch(connection.slot));
  return true;
}

void EpollReactor::end(std::uint32_t slot, CloseReason reason, int error_number,
                       Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  const Connection& connection = connections_[slot];
  const bool told = connection.told_closed;
  if (connection.broken) {
    // The kernel tells a fault once, and the send that failed has it: what is read afterwards looks
    // like an end in order.
    reason = connection.end_reason;
    error_number = connection.end_error;
  }
  free_slot(slot);
  if (!told) {
    handler.on_closed(id, reason, error_number);
  }
}

std::size_t EpollReactor::parked_bytes(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->output.size() : 0;
}

}  // namespace affix::inline v0::net
