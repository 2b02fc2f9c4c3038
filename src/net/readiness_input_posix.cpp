// SPDX-License-Identifier: MIT
// Reads into the shared receive buffer.
#include "affix/base/assert.hpp"

#include "net/connection_options.hpp"
#include "net/input_stage.hpp"
#include "net/readiness_reactor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace affix::inline v0::net {

// True if anything was read, the end of the stream included.
bool ReadinessReactor::read_from(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (connection.redeliver) {
    return false;  // Kept bytes come first, at the next turn, and may fill the whole buffer.
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
    if (!deliver(slot, begin, connection.input.size() + bytes, handler)) {
      return true;
    }
    // Less than requested: the socket is empty, and another call would only confirm
    // that.
    if (bytes < room) {
      return true;
    }
  }
  return true;
}

ssize_t ReadinessReactor::receive_stamped(Connection& connection, std::span<char> place) noexcept {
  alignas(cmsghdr) std::array<char, stamp_control_bytes> control;
  iovec piece{place.data(), place.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = ::recvmsg(connection.socket.fd(), &message, MSG_DONTWAIT);
  if (got > 0) {
    connection.received_ns = stamp_of(message);
  }
  return got;
}

// Reads once after the kept bytes, at most *room bytes; *begin is the start of all unconsumed bytes
// then.
ssize_t ReadinessReactor::read_once(Connection& connection, std::uint32_t* room,
                                    char** begin) noexcept {
  const std::uint32_t tail = connection.input.size();
  const bool staged = tail <= stage_head_room;
  char* const place = staged ? stage_ + stage_head_room : connection.input.block() + tail;
  // Never more than a block holds, since the handler may leave all of it.
  *room = options_.rx_buffer_capacity - tail;
  AFFIX_ASSERT(*room > 0);
  if (options_.read_bytes_max != 0) {
    *room = std::min(*room, options_.read_bytes_max);
  }
  ssize_t got = 0;
  do {
    got = connection.stamped ? receive_stamped(connection, {place, *room})
                             : ::recv(connection.socket.fd(), place, *room, MSG_DONTWAIT);
  } while (got < 0 && errno == EINTR);
  *begin = place - tail;
  if (got > 0) {
    if (staged && tail != 0) {
      std::memcpy(*begin, connection.input.block(), tail);
    }
    if (!staged) {
      connection.input.note_written(tail + static_cast<std::uint32_t>(got));
    }
  }
  return got;
}

// Reads input of a closing connection, so that the kernel need not reset it, and discards it.
void ReadinessReactor::discard_input(std::uint32_t slot, Handler& handler) noexcept {
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
    if (got == 0 && connection.input_ended) {
      // poll() and epoll report the end again when the output hangs up too, and the send gives the
      // reason.
      continue_output(slot, handler);
      return;
    }
    on_discarded_end(slot, got < 0 ? errno : 0, handler);
    return;
  }
}

void ReadinessReactor::read_out(std::uint32_t slot, Handler& handler) noexcept {
  const Connection& connection = connections_[slot];
  const std::uint32_t generation = connection.generation;
  const bool any = read_from(slot, handler);
  if (connection.generation != generation || connection.paused) {
    return;
  }
  // A turn reads only its share, and the kernel may have more. A stream that the peer or the
  // network ended brings nothing new; after another fault, the peer could send without end.
  const bool more = (any || connection.redeliver) && connection.phase == Connection::Phase::Open;
  if (more && connection.end_reason != CloseReason::Failed) {
    queue(slot);
    return;
  }
  end(slot, connection.end_reason, connection.end_error, handler);
}

}  // namespace affix::inline v0::net
