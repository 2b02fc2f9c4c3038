// SPDX-License-Identifier: MIT
// A network in memory, in virtual time: engines and hand-written peers joined by links with a
// delay; links can be cut at any byte, go silent, fill up and refuse. Deterministic: the same calls
// give the same events. Allocates; for tests only, one thread.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/reactor.hpp"
#include "affix/testing/link_conditions.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

class VirtualLink;
struct VirtualFabric;

class VirtualNetwork {
 public:
  /// `seed` determines only jitter and sizes of reads.
  explicit VirtualNetwork(std::uint64_t seed = 1);
  ~VirtualNetwork();

  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  LinkConditions conditions;

  /// Called with all bytes that a node sends on a link, before the network changes them.
  std::function<void(NodeId from, LinkId link, std::string_view bytes)> on_sent;

  /// Called with bytes that the kernel of a node has taken from a reactor: those that the peer may
  /// come to see, in their order.
  std::function<void(NodeId from, LinkId link, std::string_view bytes)> on_taken;

  // Nodes.

  /// Adds a node; the n-th has the address 10.0.0.n. `turn` runs one turn of its process, such as
  /// `engine->poll(VirtualNetwork::never_ns)`: in run(), a reactor's poll() does not wait but
  /// registers its deadline, and gets its next turn then or when bytes arrive.
  [[nodiscard]] NodeId add_node(std::function<void()> turn = {});
  void set_turn(NodeId node, std::function<void()> turn);

  /// Makes transport and clock of the node's process, for Engine::open(). Destroyed with that
  /// process; make another one for the next. The network must outlive it. `options` must be
  /// valid.
  [[nodiscard]] std::unique_ptr<net::Reactor> make_reactor(NodeId node,
                                                           const net::ReactorOptions& options);

  /// Kills the node's process, as SIGKILL does: its connections end as if by the kernel, and output
  /// during the destruction of its objects is dropped. Connections for which a socket of `held`
  /// stands, a duplicate of one that Reactor::share() has returned, remain open for the node's next
  /// process to adopt; each of those sockets is replaced by another duplicate, which that process's
  /// objects cannot shut down. From within on_sent(): the kernel takes `last_bytes` of that send.
  void kill(NodeId node, std::span<net::Socket* const> held = {}, std::size_t last_bytes = 0);

  /// Number of connections that the node's killed processes have left, and nobody has adopted or
  /// shut down.
  [[nodiscard]] std::size_t left_connections(NodeId node) const noexcept;

  /// Delays the node's turns, as if the system did not schedule the process.
  void stall(NodeId node, std::int64_t ns);

  /// Gives the node a turn now, after a task was passed to it from outside.
  void wake(NodeId node);

  /// Steps the node's UTC clock forward or back. Steady clocks are equal everywhere.
  void step_utc(NodeId node, std::int64_t by_ns);

  [[nodiscard]] base::Now now(NodeId node) const;

  // Time.

  static constexpr std::int64_t never_ns = INT64_MAX;

  [[nodiscard]] std::int64_t steady_ns() const noexcept;

  /// Runs the next event: arriving bytes, or a node's turn; until `until_steady_ns` at most, which
  /// is then the time. False: no event before then.
  bool step(std::int64_t until_steady_ns);

  /// Runs all events of the next `ns`, starting with a turn of every node. False: more than
  /// `steps_max` steps, a livelock.
  bool run(std::int64_t ns, std::uint64_t steps_max = 10'000'000);

  // Faults. Links are identified by links(); faults on an ended link have no effect.

  /// Existing links, oldest first.
  [[nodiscard]] std::vector<LinkId> links() const;

  /// Bytes in transit on the link, away from the side that connected, or towards it.
  [[nodiscard]] std::size_t bytes_on_the_way(LinkId link, bool from_connector) const;

  /// Resets the link: each direction still delivers this many bytes in transit.
  void cut(LinkId link, std::size_t from_connector = 0, std::size_t to_connector = 0);

  /// Drops everything on the link in both directions, unnoticed by both ends.
  void silence(LinkId link);

  /// The nodes of a link: the one that connected, and the one that accepted. The link exists.
  [[nodiscard]] LinkEnds ends(LinkId link) const;

  /// While `held`, nothing from node `from` reaches node `to`: bytes and ends of streams wait, as
  /// those that a kernel sends again until they arrive, and attempts to connect between the two get
  /// no answer. Each direction is apart.
  void hold(NodeId from, NodeId to, bool held);

  /// Ends all holds: what waited arrives now, each stream in its order.
  void hold_nothing();

  /// Changes the `offset`-th byte in transit; false if there is none.
  bool corrupt(LinkId link, bool from_connector, std::size_t offset);

  /// While `refuse`, connects fail as refused, even with a listener.
  void refuse_connects(bool refuse) noexcept { refuses_ = refuse; }

  /// While `ignore`, connects get no answer and end at their deadline.
  void ignore_connects(bool ignore) noexcept { ignores_ = ignore; }

 private:
  friend class VirtualPeer;

  [[nodiscard]] std::shared_ptr<VirtualLink> find(LinkId link) const;
  bool arrive();
  bool decide_attempts();
  bool turn_nodes();
  [[nodiscard]] std::int64_t next_event_ns() const;
  void wait(NodeId node, std::int64_t deadline_ns);

  std::unique_ptr<VirtualFabric> fabric_;
  std::vector<std::shared_ptr<VirtualLink>> links_;
  std::uint64_t links_made_ = 0;
  std::size_t last_turned_ = 0;
  bool refuses_ = false;
  bool ignores_ = false;
};

}  // namespace affix::inline v0::testing
