// SPDX-License-Identifier: MIT
// The reactors of Linux.
#include "net/reactor_epoll.hpp"
#include "net/reactor_makers.hpp"
#include "net/reactor_poll.hpp"
#ifdef AFFIX_IO_URING
#include "net/reactor_uring.hpp"
#endif

namespace affix::inline v0::net {

namespace {

constexpr ReactorMaker makers[] = {
    {"epoll", &EpollReactor::make},
    {"poll", &PollReactor::make},
#ifdef AFFIX_IO_URING
    {"io_uring", &UringReactor::make},
#endif
};

}  // namespace

std::span<const ReactorMaker> reactor_makers() noexcept {
  return makers;
}

}  // namespace affix::inline v0::net
