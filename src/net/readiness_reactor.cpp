// SPDX-License-Identifier: MIT
// Carries out events for their connections, and decides which events each connection needs.
#include "net/readiness_reactor.hpp"

#include "net/input_stage.hpp"

#include <algorithm>
#include <poll.h>

namespace affix::inline v0::net {

namespace {

// Up to this many connections, a spinning turn tries to read each instead of asking which is ready
// first, which saves one of two system calls for each message. With more, one connection would pay
// for the silence of others.
constexpr std::size_t direct_connections_max = 4;

// Maximum number of such turns before the kernel is asked, for peers that connect.
constexpr std::uint32_t direct_turns_max = 16;

}  // namespace

std::expected<void, base::Error> ReadinessReactor::open_buffers() {
  if (auto opened = open_slots(); !opened) {
    return opened;
  }
  constexpr std::size_t padding = base::PaddedBytes::padding;
  if (auto opened = stage_pool_.open(1, stage_head_room + options_.rx_buffer_capacity + padding,
                                     "receive buffer", options_.pages);
      !opened) {
    return opened;
  }
  stage_ = stage_pool_.lend();
  return {};
}

std::uint32_t ReadinessReactor::take_events(const Wait& wait, std::int64_t timeout_ns,
                                            Handler& handler) noexcept {
  if (may_read_directly(wait)) {
    return read_directly(handler);
  }
  direct_turns_ = 0;
  if (timeout_ns > 0 && !waker_.enter_block()) {
    timeout_ns = 0;
  }
  return wait_and_dispatch(timeout_ns, handler);
}

void ReadinessReactor::dispatch(std::uint64_t mark, SocketEvents events,
                                Handler& handler) noexcept {
  const auto slot = static_cast<std::uint32_t>(mark);
  const auto generation = static_cast<std::uint32_t>(mark >> 32);
  if (slot == waker_mark) {
    return;  // poll() asks the waker itself.
  }
  if ((slot & listener_mark) != 0) {
    const std::uint32_t index = slot & ~listener_mark;
    if (listeners_[index].generation == generation && listeners_[index].listener) {
      accept_from(index, handler);
    }
    return;
  }
  // An event fetched together with the one that ended its connection is out of date.
  if (connections_[slot].generation == generation &&
      connections_[slot].phase != Connection::Phase::Free) {
    on_connection_event(slot, events, handler);
  }
}

void ReadinessReactor::on_connection_event(std::uint32_t slot, std::uint32_t events,
                                           Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const std::uint32_t generation = connection.generation;
  if (connection.phase == Connection::Phase::Connecting) {
    finish_connect(slot, connect_error(slot), handler);
    return;
  }
  if ((events & POLLOUT) != 0 && !connection.output.empty()) {
    continue_output(slot, handler);
    if (connection.generation != generation) {
      return;
    }
  }
  if ((events & POLLERR) != 0 && connection.transmit_stamped &&
      take_transmit_stamps(slot, handler)) {
    // It is no fault of the stream; a real fault is reported again.
    events &= ~SocketEvents{POLLERR};
    if (connection.generation != generation) {
      return;
    }
  }
  if ((events & ~SocketEvents{POLLOUT}) == 0) {
    return;
  }
  if (connection.phase == Connection::Phase::Open) {
    if (!connection.paused) {
      static_cast<void>(read_from(slot, handler));
    } else if ((events & (POLLHUP | POLLERR)) != 0 && connection.output.empty()) {
      // These are reported in any case, again and again; resume_reading() asks for them
      // again.
      unwatch(slot);
    } else if ((events & (POLLHUP | POLLERR)) != 0) {
      continue_output(slot, handler);  // Finds the fault and discards undeliverable output.
    }
  } else {
    discard_input(slot, handler);
  }
}

bool ReadinessReactor::may_read_directly(const Wait& wait) noexcept {
  if (wait.mode != Wait::Mode::Spin || used_.empty() || used_.size() > direct_connections_max ||
      ++direct_turns_ > direct_turns_max) {
    return false;
  }
  return std::all_of(used_.begin(), used_.end(), [this](std::uint32_t slot) {
    const Connection& connection = connections_[slot];
    return connection.phase == Connection::Phase::Open && !connection.paused &&
           connection.output.empty();
  });
}

std::uint32_t ReadinessReactor::read_directly(Handler& handler) noexcept {
  std::uint32_t events = 0;
  // A copy of the list, since handlers may open and close connections meanwhile.
  std::uint32_t slots[direct_connections_max];
  const std::size_t count = used_.size();
  std::copy(used_.begin(), used_.end(), slots);
  for (std::size_t index = 0; index < count; ++index) {
    const Connection& connection = connections_[slots[index]];
    if (connection.phase == Connection::Phase::Open && !connection.paused) {
      events += read_from(slots[index], handler) ? 1U : 0U;
    }
  }
  return events;
}

bool ReadinessReactor::watch(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  SocketEvents wanted = 0;
  switch (connection.phase) {
    case Connection::Phase::Connecting:
      wanted = POLLOUT;
      break;
    case Connection::Phase::Open:
      wanted = (connection.paused ? 0U : SocketEvents{POLLIN}) |
               (connection.output.empty() ? 0U : SocketEvents{POLLOUT});
      break;
    case Connection::Phase::Flushing:
      wanted = POLLOUT | (connection.input_ended ? 0U : SocketEvents{POLLIN});
      break;
    case Connection::Phase::Lingering:
      wanted = POLLIN;
      break;
    case Connection::Phase::Free:
      break;
  }
  if (connection.registered ? wanted == connection.armed : wanted == 0) {
    return true;
  }
  if (!arm(slot, wanted)) {
    return false;
  }
  connection.registered = true;
  connection.armed = wanted;
  return true;
}

void ReadinessReactor::unwatch(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  if (connection.registered) {
    disarm(slot);
    connection.registered = false;
    connection.armed = 0;
  }
}

}  // namespace affix::inline v0::net
