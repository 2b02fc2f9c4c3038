// SPDX-License-Identifier: MIT
// Delivers input to the handler from any buffer, and keeps the rest.
#include "affix/base/assert.hpp"

#include "net/socket_reactor.hpp"

#include <cerrno>

namespace affix::inline v0::net {

// Delivers `size` bytes at `begin`, in the stage or in the connection's block, and keeps the rest.
// False when reading must not go on: the connection is gone, closing or paused.
bool SocketReactor::deliver(std::uint32_t slot, char* begin, std::uint32_t size,
                            Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  delivering_ = id;
  const std::size_t consumed = handler.on_bytes(id, base::PaddedBytes({begin, size}));
  delivering_ = ConnectionId{};
  Connection& connection = connections_[slot];
  if (connection.generation != id.generation || connection.phase != Connection::Phase::Open) {
    return false;
  }
  AFFIX_ASSERT(consumed <= size);
  const std::uint32_t left = size - static_cast<std::uint32_t>(consumed);
  connection.input.keep(begin + consumed, left, input_blocks_);
  if (connection.paused) {
    return false;
  }
  if (left == options_.rx_buffer_capacity) {
    end(slot, CloseReason::InputOverflow, 0, handler);
    return false;
  }
  return true;
}

// The peer's stream has ended, in order (0) or with an error.
void SocketReactor::on_input_end(std::uint32_t slot, int error_number, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (error_number != 0) {
    end(slot, close_reason_of(error_number), error_number, handler);
    return;
  }
  if (connection.output.empty()) {
    end(slot, CloseReason::PeerClosed, 0, handler);
    return;
  }
  // The peer has ended only its own stream and may still read, so parked output must be sent. The
  // owner gets the end now and need not wait for that.
  const ConnectionId id = id_of(slot);
  connection.phase = Connection::Phase::Flushing;
  connection.input_ended = true;
  connection.end_reported = true;
  deadlines_.set(slot, now_ns_ + options_.flush_timeout_ns);
  connection.input.drop(input_blocks_);
  if (!watch(slot)) {
    free_slot(slot);
  }
  handler.on_closed(id, CloseReason::PeerClosed, 0);
}

bool SocketReactor::pause_reading(ConnectionId connection) noexcept {
  Connection* found = find(connection);
  if (found == nullptr) {
    return false;
  }
  found->paused = true;
  static_cast<void>(watch(connection.slot));
  return true;
}

bool SocketReactor::resume_reading(ConnectionId connection) noexcept {
  Connection* found = find(connection);
  if (found == nullptr) {
    return false;
  }
  if (!found->paused) {
    return true;
  }
  found->paused = false;
  found->redeliver = true;
  queue(connection.slot);
  if (found->phase == Connection::Phase::Open && !watch(connection.slot)) {
    break_off(connection.slot, errno);
  }
  return true;
}

// The peer's stream has ended while ours is being closed.
void SocketReactor::on_discarded_end(std::uint32_t slot, int error_number,
                                     Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (error_number != 0) {
    end(slot, close_reason_of(error_number), error_number, handler);
  } else if (connection.phase == Connection::Phase::Lingering) {
    end(slot, CloseReason::Flushed, 0, handler);
  } else {
    // Only output is watched from now on: the end would be reported forever.
    connection.input_ended = true;
    if (!watch(slot)) {
      end(slot, CloseReason::Failed, errno, handler);
    }
  }
}

}  // namespace affix::inline v0::net
