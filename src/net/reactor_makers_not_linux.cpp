// SPDX-License-Identifier: MIT
// The reactor that every system has.
#include "net/reactor_makers.hpp"
#include "net/reactor_poll.hpp"

namespace affix::inline v0::net {

namespace {

constexpr ReactorMaker makers[] = {{"poll", &PollReactor::make}};

}  // namespace

std::span<const ReactorMaker> reactor_makers() noexcept {
  return makers;
}

}  // namespace affix::inline v0::net
