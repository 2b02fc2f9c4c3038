// SPDX-License-Identifier: MIT
// Reading: into the shared receive buffer, to the handler, and what it leaves into a block of the
// connection.
#include "affix/base/assert.hpp"

#include "net/input_stage.hpp"
#include "net/reactor_epoll.hpp"
#include "net/socket_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace affix::inline v0::net {

// True when anything was read, the end of the stream included.
bool EpollReactor::read_from(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (connection.redeliver) {
    return false;  // What is kept comes first, at the next turn, and it may fill the whole buffer.
  }
  std::uint32_t read = 0;
  while (read < options_.read_bytes_per_turn) {
    std::uint32_t room = 0;
    char* begin = nullptr;
    const ssize_t got = read_once(connection, &room, &begin);
    if (got < 0 && errno == EAGAIN) {
      return read != 0;
    }
    if (got <= 0) {
      on_input_end(slot, got < 0 ? errno : 0, handler);
      return true;
    }
    if (connection.quick_ack) {
      rearm_quick_ack(connection.socket.fd());
    }
    const auto bytes = static_cast<std::uint32_t>(got);
    read += bytes;
    if (!deliver(slot, begin, connection.input_size + bytes, handler)) {
      return true;
    }
    // Less than was asked for: the socket is empty, and asking again would cost a call to learn
    // just that.
    if (bytes < room) {
      return true;
    }
  }
  return true;
}

// One read behind what is kept, of at most *room bytes; *begin is where all unconsumed bytes start
// then.
ssize_t EpollReactor::read_once(Connection& connection, std::uint32_t* room,
                                char** begin) noexcept {
  const std::uint32_t tail = connection.input_size;
  const bool staged = tail <= stage_head_room;
  char* const place = staged ? stage_ + stage_head_room : connection.input_block + tail;
  // Never more than a block holds, since the handler may leave all of it.
  *room = options_.rx_buffer_capacity - tail;
  AFFIX_ASSERT(*room > 0);
  ssize_t got = 0;
  do {
    got = ::recv(connection.socket.fd(), place, *room, MSG_DONTWAIT);
  } while (got < 0 && errno == EINTR);
  *begin = place - tail;
  if (got > 0) {
    if (staged && tail != 0) {
      std::memcpy(*begin, connection.input_block, tail);
    }
    if (!staged) {
      connection.input_touched =
          std::max(connection.input_touched, tail + static_cast<std::uint32_t>(got));
    }
  }
  return got;
}

// Hands over `size` bytes at `begin`, in the stage or in the connection's block, and keeps the
// rest. False when reading must not go on: the connection is gone, closing or paused.
bool EpollReactor::deliver(std::uint32_t slot, char* begin, std::uint32_t size,
                           Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  const std::size_t consumed = handler.on_bytes(id, base::PaddedBytes({begin, size}));
  Connection& connection = connections_[slot];
  if (connection.generation != id.generation || connection.phase != Connection::Phase::Open) {
    return false;
  }
  AFFIX_ASSERT(consumed <= size);
  const std::uint32_t left = size - static_cast<std::uint32_t>(consumed);
  keep(connection, begin + consumed, left);
  if (connection.paused) {
    return false;
  }
  if (left == options_.rx_buffer_capacity) {
    end(slot, CloseReason::InputOverflow, 0, handler);
    return false;
  }
  return true;
}

void EpollReactor::keep(Connection& connection, const char* begin, std::uint32_t size) noexcept {
  if (size == 0) {
    drop_input(connection);
    return;
  }
  if (connection.input_block == nullptr) {
    connection.input_block = input_blocks_.lend();
  }
  if (begin != connection.input_block) {
    std::memmove(connection.input_block, begin, size);
  }
  connection.input_size = size;
  connection.input_touched = std::max(connection.input_touched, size);
}

void EpollReactor::drop_input(Connection& connection) noexcept {
  if (connection.input_block != nullptr) {
    input_blocks_.give_back(connection.input_block, connection.input_touched);
    connection.input_block = nullptr;
  }
  connection.input_size = 0;
  connection.input_touched = 0;
}

// The peer's stream has ended, in order (0) or not.
void EpollReactor::on_input_end(std::uint32_t slot, int error_number, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (error_number != 0) {
    end(slot, close_reason_of(error_number), error_number, handler);
    return;
  }
  if (connection.output.empty()) {
    end(slot, CloseReason::PeerClosed, 0, handler);
    return;
  }
  // The peer has ended only its own stream and may still read: what is parked is owed to it. The
  // owner learns the end now and need not wait for that.
  const ConnectionId id = id_of(slot);
  connection.phase = Connection::Phase::Flushing;
  connection.input_ended = true;
  connection.told_closed = true;
  deadlines_.set(slot, now_ns_ + options_.flush_timeout_ns);
  drop_input(connection);
  if (!watch(slot)) {
    free_slot(slot);
  }
  handler.on_closed(id, CloseReason::PeerClosed, 0);
}

// Input of a closing connection is read, so that the kernel need not reset it, and thrown away.
void EpollReactor::discard_input(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  std::uint32_t read = 0;
  while (read < options_.read_bytes_per_turn) {
    const ssize_t got = ::recv(connection.socket.fd(), stage_ + stage_head_room,
                               options_.rx_buffer_capacity, MSG_DONTWAIT);
    if (got > 0) {
      read += static_cast<std::uint32_t>(got);
      continue;
    }
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && errno == EAGAIN) {
      return;
    }
    if (got < 0) {
      end(slot, close_reason_of(errno), errno, handler);
    } else if (connection.phase == Connection::Phase::Lingering) {
      end(slot, CloseReason::Flushed, 0, handler);
    } else {
      // epoll would report the end for ever, so only the output is watched from now on; if that
      // hangs up too, the send that follows tells why.
      if (connection.input_ended) {
        continue_output(slot, handler);
        return;
      }
      connection.input_ended = true;
      if (!watch(slot)) {
        end(slot, CloseReason::Failed, errno, handler);
      }
    }
    return;
  }
}

bool EpollReactor::pause_reading(ConnectionId connection) noexcept {
  Connection* found = find(connection);
  if (found == nullptr) {
    return false;
  }
  found->paused = true;
  static_cast<void>(watch(connection.slot));
  return true;
}

bool EpollReactor::resume_reading(ConnectionId connection) noexcept {
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

}  // namespace affix::inline v0::net
