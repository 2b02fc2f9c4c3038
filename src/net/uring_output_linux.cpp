// SPDX-License-Identifier: MIT
// Sends a turn's output of all connections with one call to the kernel.
#include "net/reactor_uring.hpp"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace affix::inline v0::net {

SendResult UringReactor::send_accepted(std::uint32_t slot, std::span<const std::string_view> pieces,
                                       std::size_t total) noexcept {
  Connection& connection = connections_[slot];
  connection.output_position += total;
  park(connection, pieces, 0);
  want_to_send(slot);
  if (!flights_[slot].begun.has(Operation::Send)) {
    return SendResult::Sent;
  }
  connection.awaits_drained = true;
  return SendResult::Parked;
}

void UringReactor::submit() noexcept {
  if (!unsubmitted_.empty()) {
    enable();
    prepare_sends();
    static_cast<void>(::io_uring_submit(&ring_));
  }
}

void UringReactor::want_to_send(std::uint32_t slot) noexcept {
  Flight& flight = flights_[slot];
  if (!flight.begun.has(Operation::Send) && !std::exchange(flight.unsubmitted, true)) {
    unsubmitted_.push_back(slot);
  }
}

void UringReactor::prepare_sends() noexcept {
  for (const std::uint32_t slot : unsubmitted_) {
    const Connection& connection = connections_[slot];
    Flight& flight = flights_[slot];
    flight.unsubmitted = false;
    // The slot may have a new connection by now, with nothing to send.
    if (connection.output.empty() || flight.begun.has(Operation::Send)) {
      continue;
    }
    std::array<iovec, 2> vector;
    static_cast<void>(connection.output.pieces(vector, options_.tx_buffer_capacity));
    io_uring_sqe& entry = next_entry();
    // The bytes must not move until the kernel has taken them. Bytes that wrap round the buffer's
    // end follow with the next send.
    ::io_uring_prep_send(&entry, connection.socket.fd(), vector[0].iov_base, vector[0].iov_len,
                         MSG_NOSIGNAL | MSG_WAITALL);
    ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Send, slot));
    flight.begun.add(Operation::Send);
  }
  unsubmitted_.clear();
}

void UringReactor::on_sent(std::uint32_t slot, const Completion& completion,
                           Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  Flight& flight = flights_[slot];
  flight.begun.remove(Operation::Send);
  if (connection.broken) {
    return;
  }
  if (completion.result == -EINTR || completion.result == -EAGAIN) {
    want_to_send(slot);
    return;
  }
  if (completion.result < 0) {
    on_output_fault(slot, -completion.result, handler);
    return;
  }
  const std::uint32_t generation = connection.generation;
  on_output_taken(slot, static_cast<std::size_t>(completion.result), handler);
  if (connection.generation == generation && !connection.output.empty()) {
    want_to_send(slot);
  }
}

}  // namespace affix::inline v0::net
