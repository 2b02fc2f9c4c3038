// SPDX-License-Identifier: MIT
// The virtual network's state of its nodes, listeners and attempts to connect. Private to
// testing.
#pragma once

#include "affix/net/address.hpp"
#include "affix/testing/virtual_network.hpp"

#include <cstdint>
#include <functional>

namespace affix::inline v0::testing {

struct VirtualNetwork::Node {
  std::function<void()> turn;
  VirtualReactor* reactor = nullptr;
  VirtualPeer* peer = nullptr;
  std::int64_t utc_step_ns = 0;
  std::int64_t wake_ns = never_ns;  // Time of its process's next turn.
  std::int64_t stalled_until_ns = 0;
  bool due = false;  // An event for it has come.
};

/// A listener: a reactor's, or a hand-written peer's.
struct VirtualNetwork::Listening {
  net::Address address;
  VirtualReactor* reactor = nullptr;
  VirtualPeer* peer = nullptr;
  std::uint32_t listener = 0;
};

/// An attempt to connect.
struct VirtualNetwork::Attempt {
  std::int64_t at_ns = 0;  // Time of its result.
  net::Address address;
  VirtualReactor* reactor = nullptr;
  VirtualPeer* peer = nullptr;
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
};

}  // namespace affix::inline v0::testing
