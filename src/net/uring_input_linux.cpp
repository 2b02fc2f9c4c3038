// SPDX-License-Identifier: MIT
// Receives from the kernel's buffers for the handler, and keeps input that must wait.
#include "affix/base/assert.hpp"

#include "net/connection_options.hpp"
#include "net/reactor_uring.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace affix::inline v0::net {

void UringReactor::receive(std::uint32_t slot) noexcept {
  if (buffers_.used_up()) {
    starved_ = true;  // It would end at once, again and again.
    return;
  }
  io_uring_sqe& entry = next_entry();
  if (connections_[slot].stamped) {
    ::io_uring_prep_recvmsg_multishot(&entry, connections_[slot].socket.fd(), &stamped_layout_, 0);
  } else {
    ::io_uring_prep_recv_multishot(&entry, connections_[slot].socket.fd(), nullptr, 0, 0);
  }
  entry.flags |= IOSQE_BUFFER_SELECT;
  entry.buf_group = UringBuffers::group;
  ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Receive, slot));
  flights_[slot].begun.add(Operation::Receive);
}

void UringReactor::stop_receiving(std::uint32_t slot) noexcept {
  io_uring_sqe& entry = next_entry();
  ::io_uring_prep_cancel64(&entry, mark_of(Operation::Receive, slot), 0);
  ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Cancel, slot));
  flights_[slot].begun.add(Operation::Cancel);
}

// Describes the bytes that a receive put into its buffer; `result` is that of its completion, and
// positive. A receive with stamps writes a header and control messages before them, so it has bytes
// even at the end of the stream.
UringBuffers::Rest UringReactor::received_in(std::uint32_t slot, std::uint16_t buffer,
                                             std::int32_t result) noexcept {
  const auto size = static_cast<std::uint32_t>(result);
  if (!connections_[slot].stamped) {
    return {.offset = 0, .size = size};
  }
  char* const begin = buffers_.bytes(buffer);
  io_uring_recvmsg_out* const header = ::io_uring_recvmsg_validate(begin, result, &stamped_layout_);
  AFFIX_ASSERT(header != nullptr);
  msghdr message{};
  message.msg_control = begin + sizeof *header;
  message.msg_controllen = header->controllen;
  const auto offset = static_cast<std::uint32_t>(sizeof *header + stamp_control_bytes);
  return {.offset = offset, .size = size - offset, .received_ns = stamp_of(message)};
}

void UringReactor::on_received(std::uint32_t slot, const Completion& completion,
                               Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  Flight& flight = flights_[slot];
  if ((completion.flags & IORING_CQE_F_MORE) == 0) {
    flight.begun.remove(Operation::Receive);
    flight.begun.remove(Operation::Cancel);
  }
  const std::uint32_t generation = connection.generation;
  bool ended = completion.result == 0;
  if (completion.result > 0) {
    const auto buffer = static_cast<std::uint16_t>(completion.flags >> IORING_CQE_BUFFER_SHIFT);
    const UringBuffers::Rest received = received_in(slot, buffer, completion.result);
    ended = received.size == 0;
    if (ended || connection.phase != Connection::Phase::Open) {
      buffers_.give_back(buffer);  // It is empty, or no longer needed.
    } else {
      buffers_.rest(buffer) = received;
      if (connection.quick_ack) {
        rearm_quick_ack(connection.socket.fd());
      }
      hold(slot, buffer);
      if (connection.paused || connection.redeliver) {
        // Kept bytes come first, at the next turn. One burst may have taken all that the kernel
        // had.
        buffers_.replace_one();
      } else {
        static_cast<void>(deliver_held(slot, handler));
      }
    }
  } else if (completion.result != -ENOBUFS && completion.result != -ECANCELED &&
             completion.result != -EINTR && completion.result != -EAGAIN) {
    ended = true;
  }
  if (ended) {
    on_received_end(slot, completion.result < 0 ? -completion.result : 0, handler);
  }
  if (connection.generation == generation && connection.phase != Connection::Phase::Free) {
    static_cast<void>(watch(slot));  // Restarts a receive that ended, say for lack of buffers.
  }
}

void UringReactor::on_received_end(std::uint32_t slot, int error_number,
                                   Handler& handler) noexcept {
  const Connection& connection = connections_[slot];
  Flight& flight = flights_[slot];
  if (connection.phase != Connection::Phase::Open) {
    on_discarded_end(slot, error_number, handler);
    return;
  }
  flight.ended = true;
  flight.end_error = error_number;
  if (!connection.paused && !connection.redeliver && flight.held == UringBuffers::none) {
    on_input_end(slot, error_number, handler);
  }
}

void UringReactor::hold(std::uint32_t slot, std::uint16_t buffer) noexcept {
  Flight& flight = flights_[slot];
  if (flight.held == UringBuffers::none) {
    flight.held = buffer;
  } else {
    buffers_.rest(flight.held_last).next = buffer;
  }
  flight.held_last = buffer;
}

bool UringReactor::deliver_held(std::uint32_t slot, Handler& handler) noexcept {
  Flight& flight = flights_[slot];
  while (flight.held != UringBuffers::none) {
    const std::uint16_t buffer = flight.held;
    // The handler may end the connection and free the whole list; this buffer is kept here.
    flight.held = buffers_.rest(buffer).next;
    const std::uint32_t generation = connections_[slot].generation;
    const bool goes_on = deliver_buffer(slot, buffer, handler);
    const bool same = connections_[slot].generation == generation;
    if (!goes_on && same && connections_[slot].phase == Connection::Phase::Open &&
        buffers_.rest(buffer).size != 0) {
      // Reading was paused in the middle of this buffer.
      buffers_.rest(buffer).next = flight.held;
      flight.held_last = flight.held == UringBuffers::none ? buffer : flight.held_last;
      flight.held = buffer;
      buffers_.replace_one();
      return false;
    }
    buffers_.give_back(buffer);
    if (!goes_on) {
      return false;
    }
  }
  if (flight.ended && connections_[slot].phase == Connection::Phase::Open) {
    on_input_end(slot, flight.end_error, handler);
    return false;
  }
  if (!flight.begun.has(Operation::Receive)) {
    static_cast<void>(watch(slot));  // It waited for the held input to be delivered.
  }
  return true;
}

// Delivers the rest of one buffer, after the connection's kept bytes. False as for deliver().
bool UringReactor::deliver_buffer(std::uint32_t slot, std::uint16_t buffer,
                                  Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  UringBuffers::Rest& rest = buffers_.rest(buffer);
  connection.received_ns = rest.received_ns;
  while (rest.size != 0) {
    const std::uint32_t tail = connection.input.size();
    char* const bytes = buffers_.bytes(buffer) + rest.offset;
    const std::uint32_t size = std::min(rest.size, options_.rx_buffer_capacity - tail);
    AFFIX_ASSERT(size != 0);
    rest.offset += size;
    rest.size -= size;
    char* begin = bytes - tail;
    if (tail != 0 && tail <= UringBuffers::head_room) {
      std::memcpy(begin, connection.input.block(), tail);
    } else if (tail != 0) {
      // A long tail is not copied for each piece that follows it: the piece is copied to the tail.
      std::memcpy(connection.input.block() + tail, bytes, size);
      connection.input.note_written(tail + size);
      begin = connection.input.block();
    }
    if (!deliver(slot, begin, tail + size, handler)) {
      return false;
    }
  }
  return true;
}

// The present receive reports the end of the stream, after everything sent before it.
void UringReactor::read_out(std::uint32_t slot, Handler& /*handler*/) noexcept {
  static_cast<void>(watch(slot));
}

void UringReactor::release_held(Flight& flight) noexcept {
  while (flight.held != UringBuffers::none) {
    const std::uint16_t buffer = flight.held;
    flight.held = buffers_.rest(buffer).next;
    buffers_.give_back(buffer);
  }
}

}  // namespace affix::inline v0::net
