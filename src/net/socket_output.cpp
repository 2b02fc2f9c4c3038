// SPDX-License-Identifier: MIT
// Parks output that the kernel does not accept, and ends connections.
#include "affix/base/bytes.hpp"

#include "net/socket_reactor.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

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

SendResult SocketReactor::send(ConnectionId connection,
                               std::span<const std::string_view> pieces) noexcept {
  Connection* const found = find(connection);
  if (found == nullptr || found->phase != Connection::Phase::Open || found->broken) {
    return SendResult::Closed;
  }
  const std::size_t total = base::size_of(pieces);
  if (total > options_.tx_buffer_capacity - found->output.size()) {
    // After a refusal, the owner waits for on_drained().
    found->awaits_drained = !found->output.empty();
    return SendResult::Overflow;
  }
  return total == 0 ? SendResult::Sent : send_accepted(connection.slot, pieces, total);
}

// Parks the pieces without their first `sent` bytes; there is room.
void SocketReactor::park(Connection& connection, std::span<const std::string_view> pieces,
                         std::size_t sent) noexcept {
  for (const std::string_view piece : pieces) {
    const std::size_t skipped = std::min(sent, piece.size());
    sent -= skipped;
    connection.output.append(piece.substr(skipped), options_.tx_buffer_capacity, output_blocks_);
  }
}

// The kernel has accepted this many parked bytes.
void SocketReactor::on_output_taken(std::uint32_t slot, std::size_t bytes,
                                    Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  connection.output.consume(bytes, options_.tx_buffer_capacity, output_blocks_);
  if (!connection.output.empty()) {
    return;
  }
  if (connection.phase == Connection::Phase::Flushing) {
    on_flushed(slot, handler);
    return;
  }
  static_cast<void>(watch(slot));
  if (std::exchange(connection.awaits_drained, false)) {
    handler.on_drained(id_of(slot));
  }
}

void SocketReactor::on_output_fault(std::uint32_t slot, int error_number,
                                    Handler& handler) noexcept {
  if (connections_[slot].phase == Connection::Phase::Open) {
    break_off(slot, error_number);
  } else {
    end(slot, close_reason_of(error_number), error_number, handler);
  }
}

// The stream to the peer is broken. Earlier input of the peer can still be read, so the next turn
// reads it first and then ends the connection.
void SocketReactor::break_off(std::uint32_t slot, int error_number) noexcept {
  Connection& connection = connections_[slot];
  connection.broken = true;
  connection.end_reason = close_reason_of(error_number);
  connection.end_error = error_number;
  connection.output.drop(output_blocks_);
  static_cast<void>(watch(slot));
  queue(slot);
}

// All output is with the kernel.
void SocketReactor::on_flushed(std::uint32_t slot, Handler& handler) noexcept {
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

bool SocketReactor::close(ConnectionId connection) noexcept {
  if (find(connection) == nullptr) {
    return false;
  }
  free_slot(connection.slot);
  return true;
}

bool SocketReactor::close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept {
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
  found->input.drop(input_blocks_);
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

void SocketReactor::end(std::uint32_t slot, CloseReason reason, int error_number,
                        Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  const Connection& connection = connections_[slot];
  const bool reported = connection.end_reported;
  if (connection.broken) {
    // The kernel reports a fault once, and the failed send has received it: later reads look like
    // an end in order.
    reason = connection.end_reason;
    error_number = connection.end_error;
  }
  free_slot(slot);
  if (!reported) {
    handler.on_closed(id, reason, error_number);
  }
}

std::size_t SocketReactor::parked_bytes(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->output.size() : 0;
}

}  // namespace affix::inline v0::net
