// SPDX-License-Identifier: MIT
// Turn of a socket reactor, and its slots.
#include "net/socket_reactor.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

std::expected<void, base::Error> SocketReactor::open_slots() {
  const std::uint32_t count = options_.connections_max;
  constexpr std::size_t padding = base::PaddedBytes::padding;
  if (auto opened = waker_.open(); !opened) {
    return opened;
  }
  if (auto opened = input_blocks_.open(count, options_.rx_buffer_capacity + padding,
                                       "rx_buffer_capacity", options_.pages);
      !opened) {
    return opened;
  }
  if (auto opened = output_blocks_.open(count, options_.tx_buffer_capacity, "tx_buffer_capacity",
                                        options_.pages);
      !opened) {
    return opened;
  }
  connections_.resize(count);
  listeners_.resize(options_.listeners_max);
  used_.reserve(count);
  pending_.reserve(count);
  pending_now_.reserve(count);
  deadlines_.open(count);
  free_.reserve(count);
  for (std::uint32_t slot = count; slot > 0; --slot) {
    free_.push_back(slot - 1);
  }
  return {};
}

base::Now SocketReactor::now_again() noexcept {
  const std::int64_t utc_ns = os::read_clock_ns(CLOCK_REALTIME);
  if (const auto reckoned = clock_.at(utc_ns)) [[likely]] {
    return *reckoned;
  }
  return clock_.take(utc_ns, os::now());
}

Turn SocketReactor::poll(base::Now now, const Wait& wait, Handler& handler) noexcept {
  AFFIX_ASSERT(!polling_);
  polling_ = true;
  now_ns_ = now.steady_ns;
  if (std::exchange(had_events_, false)) {
    last_event_ns_ = now_ns_;
  }
  Turn turn;
  turn.events = end_what_is_due(handler);
  if (resting_ != 0) {
    wake_listeners();
  }
  turn.events += take_events(wait, turn.events == 0 ? timeout_ns(wait) : 0, handler);
  // After the events: input of an adopted connection is newer than the end of the peer's former
  // connection, which may be among the events.
  turn.events += do_pending(handler);
  turn.woken = waker_.take();
  had_events_ = turn.events != 0 || turn.woken;
  polling_ = false;
  return turn;
}

std::uint32_t SocketReactor::end_what_is_due(Handler& handler) noexcept {
  std::uint32_t ended = 0;
  // Handlers may set new deadlines; those already due wait for the next turn.
  const auto limit = static_cast<std::uint32_t>(deadlines_.size());
  while (ended < limit && deadlines_.nearest_ns() <= now_ns_) {
    ++ended;
    const std::uint32_t slot = deadlines_.nearest_slot();
    switch (connections_[slot].phase) {
      case Connection::Phase::Connecting:
        finish_connect(slot, ETIMEDOUT, handler);
        break;
      case Connection::Phase::Flushing:
        end(slot, CloseReason::FlushTimedOut, 0, handler);
        break;
      case Connection::Phase::Lingering:
        // The kernel has everything; it is not our fault that the peer keeps its own stream open.
        end(slot, CloseReason::Flushed, 0, handler);
        break;
      case Connection::Phase::Free:
      case Connection::Phase::Open:
        AFFIX_ASSERT(false && "a deadline without a reason");
    }
  }
  return ended;
}

std::uint32_t SocketReactor::do_pending(Handler& handler) noexcept {
  if (pending_.empty()) {
    return 0;
  }
  std::swap(pending_, pending_now_);
  const auto count = static_cast<std::uint32_t>(pending_now_.size());
  for (const std::uint32_t slot : pending_now_) {
    connections_[slot].queued = false;
    // The slot may have a new connection by now: it has its own flags, or none.
    if (connections_[slot].connect_done) {
      finish_connect(slot, connections_[slot].end_error, handler);
    } else if (!connections_[slot].paused) {
      catch_up(slot, handler);
    } else if (connections_[slot].broken &&
               std::exchange(connections_[slot].awaits_drained, false)) {
      // The owner reads again after on_drained(), which would never come: without this call it
      // would wait forever on a dead connection.
      handler.on_drained(id_of(slot));
    }
  }
  pending_now_.clear();
  return count;
}

// Delivers the bytes left when reading was paused; ends a connection after a failed send.
void SocketReactor::catch_up(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const bool redeliver = std::exchange(connection.redeliver, false);
  if (connection.phase != Connection::Phase::Open) {
    return;
  }
  if (redeliver && !connection.input.empty() &&
      !deliver(slot, connection.input.block(), connection.input.size(), handler)) {
    return;
  }
  if (!deliver_held(slot, handler)) {
    return;
  }
  if (connection.broken) {
    read_out(slot, handler);
  }
}

std::int64_t SocketReactor::timeout_ns(const Wait& wait) const noexcept {
  if (wait.mode == Wait::Mode::Spin || !pending_.empty()) {
    return 0;
  }
  if (wait.mode == Wait::Mode::SpinThenBlock && now_ns_ - last_event_ns_ < wait.spin_ns) {
    return 0;
  }
  const std::int64_t until = std::min(wait.deadline_ns, next_deadline_ns());
  return until <= now_ns_ ? 0 : until - now_ns_;
}

std::int64_t SocketReactor::next_deadline_ns() const noexcept {
  std::int64_t until = deadlines_.nearest_ns();
  if (resting_ != 0) {
    for (const ListenerSlot& listener : listeners_) {
      if (listener.resting && !listener.needs_slot) {
        until = std::min(until, listener.retry_ns);
      }
    }
  }
  return until;
}

std::int64_t SocketReactor::begin_rest() noexcept {
  return pending_.empty() && waker_.enter_block() ? next_deadline_ns() : 0;
}

Connection* SocketReactor::find(ConnectionId connection) noexcept {
  return const_cast<Connection*>(std::as_const(*this).find(connection));
}

const Connection* SocketReactor::find(ConnectionId connection) const noexcept {
  if (connection.slot >= connections_.size()) {
    return nullptr;
  }
  const Connection& found = connections_[connection.slot];
  const bool alive =
      found.generation == connection.generation && found.phase != Connection::Phase::Free;
  return alive && !found.end_reported ? &found : nullptr;
}

std::uint32_t SocketReactor::take_slot(Socket socket, bool quick_ack, bool stamped) noexcept {
  AFFIX_ASSERT(!free_.empty());
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Connection& connection = connections_[slot];
  connection.socket = std::move(socket);
  connection.quick_ack = quick_ack;
  connection.stamped = stamped;
  connection.used_position = static_cast<std::uint32_t>(used_.size());
  used_.push_back(slot);
  return slot;
}

void SocketReactor::free_slot(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  // First: until then the kernel may use the memory.
  unwatch(slot);
  connection.input.drop(input_blocks_);
  connection.output.drop(output_blocks_);
  deadlines_.clear(slot);
  if (connection.shared) {
    // Closing alone would leave the peer connected to the holder of the duplicate.
    static_cast<void>(::shutdown(connection.socket.fd(), SHUT_RDWR));
  }
  connection.socket.close();
  connections_[used_.back()].used_position = connection.used_position;
  used_[connection.used_position] = used_.back();
  used_.pop_back();
  // Resets the slot for its next connection, except for the generation and the queued flag.
  const std::uint32_t generation = connection.generation + 1 == 0 ? 1 : connection.generation + 1;
  const bool queued = connection.queued;
  connection = Connection{};
  connection.generation = generation;
  connection.queued = queued;
  free_.push_back(slot);
}

void SocketReactor::queue(std::uint32_t slot) noexcept {
  if (!connections_[slot].queued) {
    connections_[slot].queued = true;
    pending_.push_back(slot);
  }
}

std::optional<Address> SocketReactor::local_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->socket.local_address() : std::nullopt;
}

std::optional<Address> SocketReactor::peer_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->socket.peer_address() : std::nullopt;
}

std::int64_t SocketReactor::received_ns(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->received_ns : 0;
}

std::uint64_t SocketReactor::output_position(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->output_position : 0;
}

std::uint32_t SocketReactor::connection_count() const noexcept {
  return static_cast<std::uint32_t>(used_.size());
}

}  // namespace affix::inline v0::net
