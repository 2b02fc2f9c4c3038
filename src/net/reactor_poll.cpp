// SPDX-License-Identifier: MIT
// The list of sockets that poll() is asked about, and the waiting.
#include "net/reactor_poll.hpp"

#include "affix/net/socket_calls.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::net {

std::expected<std::unique_ptr<Reactor>, base::Error> PollReactor::make(
    const ReactorOptions& options) {
  std::unique_ptr<PollReactor> reactor(new PollReactor(options));
  if (auto opened = reactor->open(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return std::unique_ptr<Reactor>(std::move(reactor));
}

std::expected<void, base::Error> PollReactor::open() {
  if (auto opened = open_buffers(); !opened) {
    return opened;
  }
  const std::size_t sockets_max =
      std::size_t{1} + options_.listeners_max + options_.connections_max;
  polled_.reserve(sockets_max);
  marks_.reserve(sockets_max);
  connection_positions_.resize(options_.connections_max, nowhere);
  listener_positions_.resize(options_.listeners_max, nowhere);
  events_.reserve(options_.events_per_turn);
  add(waker_.fd(), POLLIN, mark_of(waker_mark, 0));
  return {};
}

std::uint32_t PollReactor::wait_and_dispatch(std::int64_t timeout_ns, Handler& handler) noexcept {
  collect(wait_for_events(polled_, timeout_ns));
  for (const Event& event : events_) {
    dispatch(event.mark, event.events, handler);
  }
  return static_cast<std::uint32_t>(events_.size());
}

/// Of `ready` sockets with events, those of this turn.
void PollReactor::collect(int ready) noexcept {
  events_.clear();
  const std::size_t count = polled_.size();
  std::size_t at = next_ < count ? next_ : 0;
  for (std::size_t seen = 0; seen < count && ready > 0 && events_.size() < options_.events_per_turn;
       ++seen) {
    if (polled_[at].revents != 0) {
      --ready;
      events_.push_back({marks_[at], static_cast<SocketEvents>(polled_[at].revents)});
    }
    at = at + 1 < count ? at + 1 : 0;
  }
  next_ = at;
  if (polled_.front().revents != 0) {
    waker_.drain();
  }
}

bool PollReactor::arm(std::uint32_t slot, SocketEvents wanted) noexcept {
  const Connection& connection = connections_[slot];
  if (connection.registered) {
    polled_[connection_positions_[slot]].events = static_cast<short>(wanted);
  } else {
    add(connection.socket.fd(), wanted, mark_of(slot, connection.generation));
  }
  return true;
}

void PollReactor::disarm(std::uint32_t slot) noexcept {
  remove(connection_positions_[slot]);
}

bool PollReactor::watch_listener(std::uint32_t listener, bool wanted) noexcept {
  ListenerSlot& slot = listeners_[listener];
  std::uint32_t& position = listener_positions_[listener];
  if (wanted && position == nowhere) {
    add(slot.listener->socket().fd(), POLLIN, mark_of(listener_mark | listener, slot.generation));
  } else if (!wanted && position != nowhere) {
    remove(position);
  }
  slot.watched = true;
  return true;
}

void PollReactor::unwatch_listener(std::uint32_t listener) noexcept {
  if (listener_positions_[listener] != nowhere) {
    remove(listener_positions_[listener]);
  }
}

void PollReactor::add(int descriptor, SocketEvents wanted, std::uint64_t mark) noexcept {
  const auto slot = static_cast<std::uint32_t>(mark);
  if (slot != waker_mark) {
    position_of(slot) = static_cast<std::uint32_t>(polled_.size());
  }
  polled_.push_back({.fd = descriptor, .events = static_cast<short>(wanted), .revents = 0});
  marks_.push_back(mark);
}

/// The last one takes its place.
void PollReactor::remove(std::uint32_t& position) noexcept {
  const std::uint32_t at = std::exchange(position, nowhere);
  if (at + 1 != polled_.size()) {
    polled_[at] = polled_.back();
    marks_[at] = marks_.back();
    position_of(static_cast<std::uint32_t>(marks_[at])) = at;
  }
  polled_.pop_back();
  marks_.pop_back();
}

std::uint32_t& PollReactor::position_of(std::uint32_t slot) noexcept {
  return (slot & listener_mark) != 0 ? listener_positions_[slot & ~listener_mark]
                                     : connection_positions_[slot];
}

}  // namespace affix::inline v0::net
