// SPDX-License-Identifier: MIT
// The epoll, and its timer.
#include "affix/base/time.hpp"

#include "net/loop_descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/timerfd.h>

namespace affix::inline v0::net {

std::expected<LoopDescriptor, base::Error> LoopDescriptor::open(Reactor& reactor) {
  const int events = reactor.descriptor();
  if (events < 0) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "this reactor has no descriptor that a loop could wait for",
                                       "descriptor", "E134"});
  }
  os::FileDescriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  os::FileDescriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  if (!epoll.is_open() || !timer.is_open()) {
    return std::unexpected(base::make_system_error("epoll_create1", errno, "descriptor"));
  }
  for (const int each : {events, timer.number()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(epoll.number(), EPOLL_CTL_ADD, each, &event) != 0) {
      return std::unexpected(base::make_system_error("epoll_ctl", errno, "descriptor"));
    }
  }
  return LoopDescriptor(std::move(epoll), std::move(timer));
}

void LoopDescriptor::set_due(std::int64_t due_ns, std::int64_t now_ns) noexcept {
  // The same time again changes nothing: a time that has come stays readable.
  if ((set_ns_ > now_ns && set_ns_ <= due_ns) || set_ns_ == due_ns) {
    return;
  }
  itimerspec due{};  // Zero switches it off, and also ends its being readable.
  if (due_ns != never_ns) {
    // A time in the past is due at once; zero would never be.
    const std::int64_t at_ns = std::max(due_ns, std::int64_t{1});
    due.it_value = {.tv_sec = at_ns / base::ns_per_second, .tv_nsec = at_ns % base::ns_per_second};
  }
  // Fails only for a time that is none.
  static_cast<void>(::timerfd_settime(timer_.number(), TFD_TIMER_ABSTIME, &due, nullptr));
  set_ns_ = due_ns;
}

}  // namespace affix::inline v0::net
