// SPDX-License-Identifier: MIT
// Waiting by epoll, and registration with it.
#include "affix/base/assert.hpp"

#include "net/reactor_epoll.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

// glibc has it since 2.35; what was compiled for an older one runs with both.
#pragma weak epoll_pwait2

namespace affix::inline v0::net {

// SocketEvents are epoll's own.
static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLERR == POLLERR &&
              EPOLLHUP == POLLHUP);

namespace {

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
  if (auto opened = open_buffers(); !opened) {
    return opened;
  }
  epoll_event event{};
  // Edge-triggered: each write to it is one event, and it need not be read empty.
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = mark_of(waker_mark, 0);
  if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, waker_.fd(), &event) != 0) {
    return std::unexpected(base::make_system_error("epoll_ctl", errno, "waker"));
  }
  events_.resize(options_.events_per_turn);
  return {};
}

std::uint32_t EpollReactor::wait_and_dispatch(std::int64_t timeout_ns, Handler& handler) noexcept {
  const int ready = wait_for_events(timeout_ns);
  for (int index = 0; index < ready; ++index) {
    const epoll_event& event = events_[static_cast<std::size_t>(index)];
    dispatch(event.data.u64, event.events, handler);
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

bool EpollReactor::arm(std::uint32_t slot, SocketEvents wanted) noexcept {
  const Connection& connection = connections_[slot];
  epoll_event event{};
  event.events = wanted;
  event.data.u64 = mark_of(slot, connection.generation);
  const int operation = connection.registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return ::epoll_ctl(epoll_.fd(), operation, connection.socket.fd(), &event) == 0;
}

void EpollReactor::disarm(std::uint32_t slot) noexcept {
  // Closing alone is not enough if a copy of the descriptor exists, perhaps in a forked child.
  epoll_event unused{};
  static_cast<void>(
      ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connections_[slot].socket.fd(), &unused));
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
