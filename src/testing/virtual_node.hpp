// SPDX-License-Identifier: MIT
// What the virtual network keeps of its nodes, listeners and attempts to connect. Private to
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
  std::int64_t wake_ns = never_ns;  // When its process wants its next turn.
  std::int64_t stalled_until_ns = 0;
  bool due = false;  // Something came for it.
};

/// Somebody listens: a reactor, or a peer written by hand.
struct VirtualNetwork::Listening {
  net::Address address;
  VirtualReactor* reactor = nullptr;
  VirtualPeer* peer = nullptr;
  std::uint32_t listener = 0;
};

/// A connect on its way.
struct VirtualNetwork::Attempt {
  std::int64_t at_ns = 0;  // When it is decided.
  net::Address address;
  VirtualReactor* reactor = nullptr;
  VirtualPeer* peer = nullptr;
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
};

}  // namespace affix::inline v0::testing
