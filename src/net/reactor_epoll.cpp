// SPDX-License-Identifier: MIT
// The turn of the epoll reactor, its slots and what epoll watches.
#include "net/reactor_epoll.hpp"

#include "affix/base/assert.hpp"

#include "net/input_stage.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

// Up to this many connections a spinning turn tries to read each instead of asking epoll first,
// which saves one system call of two for each message. More would make one connection pay for the
// silence of others.
constexpr std::size_t direct_connections_max = 4;

// How many such turns may pass before epoll is asked, for peers that connect.
constexpr std::uint32_t direct_turns_max = 16;

}  // namespace

std::expected<std::unique_ptr<Reactor>, base::Error> EpollReactor::make(
    const ReactorOptions& options) {
  std::unique_ptr<EpollReactor> reactor(new EpollReactor(options));
  if (auto opened = reactor->open(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return std::unique_ptr<Reactor>(std::move(reactor));
}

std::expected<void, base::Error> EpollReactor::open() {
  epoll_ = Socket(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open()) {
    return std::unexpected(base::make_system_error("epoll_create1", errno, "reactor"));
  }
  if (auto opened = waker_.open(); !opened) {
    return opened;
  }
  epoll_event event{};
  // Edge-triggered: each write to it is one event, and nobody need read it empty.
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = mark_of(waker_mark, 0);
  if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, waker_.fd(), &event) != 0) {
    return std::unexpected(base::make_system_error("epoll_ctl", errno, "waker"));
  }
  const std::uint32_t count = options_.connections_max;
  constexpr std::size_t padding = base::PaddedBytes::padding;
  if (auto opened =
          input_blocks_.open(count, options_.rx_buffer_capacity + padding, "rx_buffer_capacity");
      !opened) {
    return opened;
  }
  if (auto opened = output_blocks_.open(count, options_.tx_buffer_capacity, "tx_buffer_capacity");
      !opened) {
    return opened;
  }
  if (auto opened = stage_pool_.open(1, stage_head_room + options_.rx_buffer_capacity + padding,
                                     "receive buffer");
      !opened) {
    return opened;
  }
  stage_ = stage_pool_.lend();
  connections_.resize(count);
  listeners_.resize(options_.listeners_max);
  events_.resize(options_.events_per_turn);
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

Turn EpollReactor::poll(base::Now now, const Wait& wait, Handler& handler) noexcept {
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
  turn.events += do_pending(handler);
  if (turn.events == 0 && may_read_directly(wait)) {
    turn.events = read_directly(handler);
  } else {
    turn.events += wait_and_dispatch(turn.events == 0 ? timeout_ns(wait) : 0, handler);
  }
  turn.woken = waker_.take();
  had_events_ = turn.events != 0 || turn.woken;
  polling_ = false;
  return turn;
}

std::uint32_t EpollReactor::end_what_is_due(Handler& handler) noexcept {
  std::uint32_t ended = 0;
  // Handlers may set new deadlines; those that are due already wait for the next turn.
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
        // The kernel has everything; that the peer keeps its own stream open is no fault of ours.
        end(slot, CloseReason::Flushed, 0, handler);
        break;
      case Connection::Phase::Free:
      case Connection::Phase::Open:
        AFFIX_ASSERT(false && "a deadline without a reason");
    }
  }
  return ended;
}

std::uint32_t EpollReactor::do_pending(Handler& handler) noexcept {
  if (pending_.empty()) {
    return 0;
  }
  std::swap(pending_, pending_now_);
  const auto count = static_cast<std::uint32_t>(pending_now_.size());
  for (const std::uint32_t slot : pending_now_) {
    connections_[slot].queued = false;
    // The slot may have another tenant by now: it has the flags of its own needs, or none.
    if (connections_[slot].connect_done) {
      finish_connect(slot, connections_[slot].end_error, handler);
    } else if (!connections_[slot].paused) {
      catch_up(slot, handler);
    }
  }
  pending_now_.clear();
  return count;
}

// Delivers again what was left when reading was paused, and ends a connection whose sending failed.
void EpollReactor::catch_up(std::uint32_t slot, Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const bool redeliver = std::exchange(connection.redeliver, false);
  if (connection.phase != Connection::Phase::Open) {
    return;
  }
  if (redeliver && connection.input_size != 0 &&
      !deliver(slot, connection.input_block, connection.input_size, handler)) {
    return;
  }
  if (!connection.broken) {
    return;
  }
  const std::uint32_t generation = connection.generation;
  static_cast<void>(read_from(slot, handler));
  if (connection.generation == generation && !connection.paused) {
    end(slot, connection.end_reason, connection.end_error, handler);
  }
}

std::int64_t EpollReactor::timeout_ns(const Wait& wait) const noexcept {
  if (wait.mode == Wait::Mode::Spin || !pending_.empty()) {
    return 0;
  }
  if (wait.mode == Wait::Mode::SpinThenBlock && now_ns_ - last_event_ns_ < wait.spin_ns) {
    return 0;
  }
  std::int64_t until = std::min(wait.deadline_ns, deadlines_.nearest_ns());
  if (resting_ != 0) {
    for (const ListenerSlot& listener : listeners_) {
      if (listener.resting && listener.pause != AcceptPause::ConnectionLimit) {
        until = std::min(until, listener.retry_ns);
      }
    }
  }
  return until <= now_ns_ ? 0 : until - now_ns_;
}

std::uint32_t EpollReactor::wait_and_dispatch(std::int64_t timeout, Handler& handler) noexcept {
  direct_turns_ = 0;
  if (timeout > 0 && !waker_.enter_block()) {
    timeout = 0;
  }
  const int ready = wait_for_events(timeout);
  for (int index = 0; index < ready; ++index) {
    dispatch(events_[static_cast<std::size_t>(index)], handler);
  }
  return ready > 0 ? static_cast<std::uint32_t>(ready) : 0;
}

int EpollReactor::wait_for_events(std::int64_t timeout) noexcept {
  const int room = static_cast<int>(events_.size());
  if (timeout == 0) {
    return ::epoll_wait(epoll_.fd(), events_.data(), room, 0);
  }
  if (has_pwait2_) {
    const timespec wait{.tv_sec = timeout / base::ns_per_second,
                        .tv_nsec = timeout % base::ns_per_second};
    const int ready = ::epoll_pwait2(epoll_.fd(), events_.data(), room, &wait, nullptr);
    if (ready >= 0 || (errno != ENOSYS && errno != EPERM)) {
      return ready;
    }
    // Kernels before 5.11, and sandboxes that do not know the call.
    has_pwait2_ = false;
  }
  // Rounded up: returning before the deadline would make the caller turn until it comes.
  const std::int64_t ms = std::min<std::int64_t>((timeout - 1) / base::ns_per_ms + 1, 3'600'000);
  return ::epoll_wait(epoll_.fd(), events_.data(), room, static_cast<int>(ms));
}

void EpollReactor::dispatch(const epoll_event& event, Handler& handler) noexcept {
  const auto slot = static_cast<std::uint32_t>(event.data.u64);
  const auto generation = static_cast<std::uint32_t>(event.data.u64 >> 32);
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
  // An event that was fetched together with the one that ended its connection is out of date.
  if (connections_[slot].generation == generation &&
      connections_[slot].phase != Connection::Phase::Free) {
    on_connection_event(slot, event.events, handler);
  }
}

void EpollReactor::on_connection_event(std::uint32_t slot, std::uint32_t events,
                                       Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const std::uint32_t generation = connection.generation;
  if (connection.phase == Connection::Phase::Connecting) {
    int fault = 0;
    socklen_t size = sizeof fault;
    if (::getsockopt(connection.socket.fd(), SOL_SOCKET, SO_ERROR, &fault, &size) != 0) {
      fault = errno;
    }
    finish_connect(slot, fault, handler);
    return;
  }
  if ((events & EPOLLOUT) != 0 && !connection.output.empty()) {
    continue_output(slot, handler);
    if (connection.generation != generation) {
      return;
    }
  }
  if ((events & ~std::uint32_t{EPOLLOUT}) == 0) {
    return;
  }
  if (connection.phase == Connection::Phase::Open) {
    if (!connection.paused) {
      static_cast<void>(read_from(slot, handler));
    } else if ((events & (EPOLLHUP | EPOLLERR)) != 0 && connection.output.empty()) {
      // epoll reports these whether wanted or not, again and again; resume_reading() watches it
      // once more.
      unwatch(slot);
    } else if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
      continue_output(slot, handler);  // Finds the fault and drops what cannot arrive any more.
    }
  } else {
    discard_input(slot, handler);
  }
}

bool EpollReactor::may_read_directly(const Wait& wait) noexcept {
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

std::uint32_t EpollReactor::read_directly(Handler& handler) noexcept {
  std::uint32_t events = 0;
  // Handlers may open and close connections meanwhile, so the list is copied.
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

Connection* EpollReactor::find(ConnectionId connection) noexcept {
  return const_cast<Connection*>(std::as_const(*this).find(connection));
}

const Connection* EpollReactor::find(ConnectionId connection) const noexcept {
  if (connection.slot >= connections_.size()) {
    return nullptr;
  }
  const Connection& found = connections_[connection.slot];
  const bool alive =
      found.generation == connection.generation && found.phase != Connection::Phase::Free;
  return alive && !found.told_closed ? &found : nullptr;
}

std::uint32_t EpollReactor::take_slot(Socket socket, bool quick_ack) noexcept {
  AFFIX_ASSERT(!free_.empty());
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Connection& connection = connections_[slot];
  connection.socket = std::move(socket);
  connection.quick_ack = quick_ack;
  connection.used_position = static_cast<std::uint32_t>(used_.size());
  used_.push_back(slot);
  return slot;
}

void EpollReactor::free_slot(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  drop_input(connection);
  connection.output.drop(output_blocks_);
  deadlines_.clear(slot);
  unwatch(slot);
  connection.socket.close();
  connections_[used_.back()].used_position = connection.used_position;
  used_[connection.used_position] = used_.back();
  used_.pop_back();
  // The next tenant finds everything as new but the generation, and but whether the slot is queued.
  const std::uint32_t generation = connection.generation + 1 == 0 ? 1 : connection.generation + 1;
  const bool queued = connection.queued;
  connection = Connection{};
  connection.generation = generation;
  connection.queued = queued;
  free_.push_back(slot);
}

void EpollReactor::queue(std::uint32_t slot) noexcept {
  if (!connections_[slot].queued) {
    connections_[slot].queued = true;
    pending_.push_back(slot);
  }
}

bool EpollReactor::watch(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  std::uint32_t wanted = 0;
  switch (connection.phase) {
    case Connection::Phase::Connecting:
      wanted = EPOLLOUT;
      break;
    case Connection::Phase::Open:
      wanted = (connection.paused ? 0U : std::uint32_t{EPOLLIN}) |
               (connection.output.empty() ? 0U : std::uint32_t{EPOLLOUT});
      break;
    case Connection::Phase::Flushing:
      wanted = EPOLLOUT | (connection.input_ended ? 0U : std::uint32_t{EPOLLIN});
      break;
    case Connection::Phase::Lingering:
      wanted = EPOLLIN;
      break;
    case Connection::Phase::Free:
      break;
  }
  if (connection.registered ? wanted == connection.armed : wanted == 0) {
    return true;
  }
  epoll_event event{};
  event.events = wanted;
  event.data.u64 = mark_of(slot, connection.generation);
  const int operation = connection.registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(epoll_.fd(), operation, connection.socket.fd(), &event) != 0) {
    return false;
  }
  connection.registered = true;
  connection.armed = wanted;
  return true;
}

void EpollReactor::unwatch(std::uint32_t slot) noexcept {
  Connection& connection = connections_[slot];
  if (connection.registered) {
    // Closing would do, were there not a copy of the descriptor, in a forked child perhaps.
    epoll_event unused{};
    static_cast<void>(::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connection.socket.fd(), &unused));
    connection.registered = false;
    connection.armed = 0;
  }
}

std::expected<ConnectionId, base::Error> EpollReactor::adopt(Socket socket,
                                                             const SocketOptions& options) {
  if (free_.empty()) {
    return std::unexpected(base::Error{base::ErrorCode::Limit, "connections_max is met", "adopt"});
  }
  const int flags = ::fcntl(socket.fd(), F_GETFL);
  if (flags < 0 || ::fcntl(socket.fd(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return std::unexpected(base::make_system_error("fcntl", errno, "adopt"));
  }
  const std::uint32_t slot = take_slot(std::move(socket), options.quick_ack);
  connections_[slot].phase = Connection::Phase::Open;
  if (!watch(slot)) {
    const int error_number = errno;
    free_slot(slot);
    return std::unexpected(base::make_system_error("epoll_ctl", error_number, "adopt"));
  }
  return id_of(slot);
}

std::optional<Address> EpollReactor::local_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->socket.local_address() : std::nullopt;
}

std::optional<Address> EpollReactor::peer_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->socket.peer_address() : std::nullopt;
}

std::uint32_t EpollReactor::connection_count() const noexcept {
  return static_cast<std::uint32_t>(used_.size());
}

}  // namespace affix::inline v0::net
