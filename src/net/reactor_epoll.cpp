// SPDX-License-Identifier: MIT
// Turn of the epoll reactor, its slots and their registration with epoll.
#include "net/reactor_epoll.hpp"

#include "affix/base/assert.hpp"

#include "net/input_stage.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

// glibc has it since 2.35; what was compiled for an older one runs with both.
#pragma weak epoll_pwait2

namespace affix::inline v0::net {

namespace {

// Up to this many connections, a spinning turn tries to read each instead of calling epoll first,
// which saves one of two system calls for each message. With more, one connection would pay for the
// silence of others.
constexpr std::size_t direct_connections_max = 4;

// Maximum number of such turns before a call of epoll, for peers that connect.
constexpr std::uint32_t direct_turns_max = 16;

/// Calls the library where it has the function, since libraries that bypass the kernel replace it.
int wait_nanoseconds(int epoll, epoll_event* events, int room, const timespec& wait) noexcept {
  if (&::epoll_pwait2 != nullptr) {
    return ::epoll_pwait2(epoll, events, room, &wait, nullptr);
  }
  return static_cast<int>(::syscall(SYS_epoll_pwait2, epoll, events, room, &wait, nullptr, 0));
}

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
  if (auto opened = open_slots(); !opened) {
    return opened;
  }
  epoll_event event{};
  // Edge-triggered: each write to it is one event, and it need not be read empty.
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = mark_of(waker_mark, 0);
  if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, waker_.fd(), &event) != 0) {
    return std::unexpected(base::make_system_error("epoll_ctl", errno, "waker"));
  }
  constexpr std::size_t padding = base::PaddedBytes::padding;
  if (auto opened = stage_pool_.open(1, stage_head_room + options_.rx_buffer_capacity + padding,
                                     "receive buffer", options_.pages);
      !opened) {
    return opened;
  }
  stage_ = stage_pool_.lend();
  events_.resize(options_.events_per_turn);
  return {};
}

std::uint32_t EpollReactor::take_events(const Wait& wait, std::int64_t timeout_ns,
                                        Handler& handler) noexcept {
  if (may_read_directly(wait)) {
    return read_directly(handler);
  }
  return wait_and_dispatch(timeout_ns, handler);
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
    const int ready = wait_nanoseconds(epoll_.fd(), events_.data(), room, wait);
    if (ready >= 0 || (errno != ENOSYS && errno != EPERM)) {
      return ready;
    }
    // Kernels before 5.11, and sandboxes without the call.
    has_pwait2_ = false;
  }
  // Rounded up: a return before the deadline would make the caller turn until it comes.
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
  // An event fetched together with the one that ended its connection is out of date.
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
    finish_connect(slot, connect_error(slot), handler);
    return;
  }
  if ((events & EPOLLOUT) != 0 && !connection.output.empty()) {
    continue_output(slot, handler);
    if (connection.generation != generation) {
      return;
    }
  }
  if ((events & EPOLLERR) != 0 && connection.transmit_stamped &&
      take_transmit_stamps(slot, handler)) {
    // It is no fault of the stream; a real fault is reported again.
    events &= ~std::uint32_t{EPOLLERR};
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
      // epoll reports these in any case, again and again; resume_reading() registers it
      // again.
      unwatch(slot);
    } else if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
      continue_output(slot, handler);  // Finds the fault and discards undeliverable output.
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
    // Closing alone is not enough if a copy of the descriptor exists, perhaps in a forked child.
    epoll_event unused{};
    static_cast<void>(::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connection.socket.fd(), &unused));
    connection.registered = false;
    connection.armed = 0;
  }
}

bool EpollReactor::watch_listener(std::uint32_t listener, bool wanted) noexcept {
  ListenerSlot& slot = listeners_[listener];
  epoll_event event{};
  event.events = wanted ? EPOLLIN : 0U;
  event.data.u64 = mark_of(listener_mark | listener, slot.generation);
  const int operation = slot.watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  const int changed = ::epoll_ctl(epoll_.fd(), operation, slot.listener->socket().fd(), &event);
  // Modifying a registration needs no memory, so a failure would be a wrong descriptor of ours.
  AFFIX_ASSERT(changed == 0 || !slot.watched);
  slot.watched = slot.watched || changed == 0;
  return changed == 0;
}

void EpollReactor::unwatch_listener(std::uint32_t listener) noexcept {
  epoll_event unused{};
  static_cast<void>(::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL,
                                listeners_[listener].listener->socket().fd(), &unused));
}

}  // namespace affix::inline v0::net
