// SPDX-License-Identifier: MIT
// The state that the parts of a virtual network share: the clock, and nodes, listeners and attempts
// to connect. The network runs it; links, reactors and peers read and fill it. Private to testing.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/socket.hpp"
#include "affix/testing/link_conditions.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::testing {

class VirtualLink;

struct VirtualFabric {
  static constexpr std::int64_t never_ns = INT64_MAX;

  struct Node {
    std::function<void()> turn;
    std::function<void()> kill;  // Kills its process; empty without one.
    std::int64_t utc_step_ns = 0;
    std::int64_t wake_ns = never_ns;  // Time of its process's next turn.
    std::int64_t stalled_until_ns = 0;
    std::size_t last_bytes = 0;  // Taken of a send during which its process is killed.
    bool due = false;            // An event for it has come.
  };

  /// A listener of a reactor or of a hand-written peer.
  struct Listening {
    net::Address address;
    NodeId node{};
    std::uint32_t listener = 0;  // Its slot in the reactor.
    /// Side 1 of a link is its end. False: the listener has no room.
    std::function<bool(const std::shared_ptr<VirtualLink>& link)> accept;
  };

  /// An attempt to connect.
  struct Attempt {
    std::int64_t at_ns = 0;  // Time of its result.
    net::Address address;
    NodeId node{};
    /// Takes the result: a link whose side 0 is its end, or none.
    std::function<void(const std::shared_ptr<VirtualLink>& link)> end;
  };

  /// A shared connection: a socket of the system that is not connected stands for it, so that it
  /// can be duplicated and passed on, and takes options.
  struct Shared {
    net::Socket socket;
    std::shared_ptr<VirtualLink> link;
    unsigned side = 0;
    NodeId node{};
    bool left = false;  // Its process has ended, and no other has adopted it.

    Shared(net::Socket stand_in, std::shared_ptr<VirtualLink> of, unsigned end, NodeId of_node)
        : socket(std::move(stand_in)), link(std::move(of)), side(end), node(of_node) {}
  };

  using OnSent = std::function<void(NodeId from, LinkId link, std::string_view bytes)>;

  /// Refers to what the network's user sets. `seed` is of random().
  VirtualFabric(const LinkConditions& of_links, const OnSent& listener, const OnSent& taker,
                std::uint64_t seed)
      : conditions(of_links), on_sent(listener), on_taken(taker), random_state(seed) {}

  [[nodiscard]] Node& at(NodeId node) { return *nodes[static_cast<std::size_t>(node) - 1]; }

  [[nodiscard]] base::Now now(NodeId node) {
    return {steady_ns, steady_ns + utc_offset_ns + at(node).utc_step_ns};
  }

  void wake(NodeId node) { at(node).due = true; }

  /// A port of a connection, or of a listener that leaves its choice to the system.
  [[nodiscard]] std::uint16_t next_port() noexcept {
    constexpr std::uint32_t first = 32'768;
    return static_cast<std::uint16_t>(first + ports_used++ % first);
  }

  [[nodiscard]] std::uint64_t random() noexcept {
    // splitmix64: every seed is good, 0 included.
    random_state += 0x9e37'79b9'7f4a'7c15;
    std::uint64_t mixed = random_state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d0'49bb'1331'11eb;
    return mixed ^ (mixed >> 31);
  }

  const LinkConditions& conditions;
  const OnSent& on_sent;
  const OnSent& on_taken;

  // Shared connections (virtual_share.cpp).

  /// The one for which `socket` stands; null: none.
  [[nodiscard]] Shared* find_shared(const net::Socket& socket) noexcept;

  /// A duplicate of the socket that stands for that end of `link`, which is made if there is none.
  [[nodiscard]] std::expected<net::Socket, base::Error> share(
      const std::shared_ptr<VirtualLink>& link, unsigned side, NodeId node);

  /// The connection is over: nothing stands for that end any more.
  void forget_shared(const VirtualLink& link, unsigned side) noexcept;

  /// A process of the node has been killed. Its shared connections, and those that earlier ones
  /// left, remain open if a socket of `held` stands for them; that is replaced by one to which the
  /// killed process has no access.
  void leave_shared(NodeId node, std::span<net::Socket* const> held) noexcept;

  /// Ends the connections that were left and then shut down.
  void end_shut_down() noexcept;

  /// For a reactor that blocks outside run(): runs the others until its node has an event, or until
  /// the deadline.
  std::function<void(NodeId node, std::int64_t deadline_ns)> wait;

  std::uint64_t random_state;
  std::int64_t steady_ns = 0;
  std::int64_t utc_offset_ns = 0;
  bool running = false;  // The network is in an event.
  std::uint32_t ports_used = 0;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Listening> listening;
  std::vector<Attempt> attempts;
  std::set<std::pair<NodeId, NodeId>> held_back;  // Nothing from the first reaches the second.
  std::vector<Shared> shared;
};

}  // namespace affix::inline v0::testing
