// SPDX-License-Identifier: MIT
// A network in memory, in virtual time: whole engines and hand-written peers joined by links with a
// delay, which can be cut at any byte, fall silent, back up and refuse. Deterministic: the same
// calls give the same history. Allocates; for tests only, one thread.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/reactor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

class VirtualLink;
class VirtualPeer;
class VirtualReactor;

/// What bytes meet on their way. May be changed at any time: holds for what is sent from then on.
struct LinkConditions {
  std::int64_t delay_ns = 100 * base::ns_per_us;  ///< One way.
  std::int64_t jitter_ns = 0;                     ///< Up to so much more; order is kept.
  /// One read gives 1 to so many bytes, at random; 0: all there is.
  std::uint32_t piece_bytes_max = 0;
  /// Bytes that one direction holds, on the way and unread, before its sender meets back-pressure.
  std::size_t window_bytes = 256 * 1024;
};

/// One machine of the network: one process at a time, with clocks of its own.
enum class NodeId : std::uint32_t {};

/// Names a connection between two nodes; never used again for another.
enum class LinkId : std::uint64_t {};

class VirtualNetwork {
 public:
  /// `seed` decides jitter and pieces, nothing else.
  explicit VirtualNetwork(std::uint64_t seed = 1);
  ~VirtualNetwork();

  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  LinkConditions conditions;

  /// Told of all bytes that a node gives to a link, before the network does anything to them.
  std::function<void(NodeId from, LinkId link, std::string_view bytes)> on_sent;

  // Nodes.

  /// A node; the n-th has the address 10.0.0.n. `turn` gives its process one turn, for example
  /// `engine->poll(VirtualNetwork::never_ns)`: while the network runs, a reactor's poll() does not
  /// wait, but says until when it would have, and has its next turn then or when bytes come.
  [[nodiscard]] NodeId add_node(std::function<void()> turn = {});
  void set_turn(NodeId node, std::function<void()> turn);

  /// The transport and clock of the node's process, for Engine::open(). It belongs to one process:
  /// destroyed with it, and made anew for the next. The network outlives it. `options` have been
  /// checked.
  [[nodiscard]] std::unique_ptr<net::Reactor> make_reactor(NodeId node,
                                                           const net::ReactorOptions& options);

  /// The node's process is dead from now on, as after SIGKILL: its connections end as the kernel
  /// ends them, and what the process still says while its objects are taken down reaches nobody.
  void kill(NodeId node);

  /// The node has no turn for so long, as a process that the system does not schedule.
  void stall(NodeId node, std::int64_t ns);

  /// The node is to have a turn now, since it was given something to do from outside.
  void wake(NodeId node);

  /// The node's wall clock is set, back or forth. Steady clocks are the same everywhere.
  void step_utc(NodeId node, std::int64_t by_ns);

  [[nodiscard]] base::Now now(NodeId node) const;

  // Time.

  static constexpr std::int64_t never_ns = INT64_MAX;

  [[nodiscard]] std::int64_t steady_ns() const noexcept { return steady_ns_; }

  /// The next thing that happens: bytes arrive, or a node has its turn; at most until
  /// `until_steady_ns`, which is then the time. False: nothing is left to happen before.
  bool step(std::int64_t until_steady_ns);

  /// All that happens in the next `ns`, beginning with a turn of every node. False: `steps_max`
  /// steps did not do, which is a livelock of somebody's.
  bool run(std::int64_t ns, std::uint64_t steps_max = 10'000'000);

  // Faults. Links are named by links(); faults to a link that has ended do nothing.

  /// Every link that stands, oldest first.
  [[nodiscard]] std::vector<LinkId> links() const;

  /// Bytes on their way over the link, away from the side that connected, or towards it.
  [[nodiscard]] std::size_t bytes_on_the_way(LinkId link, bool from_connector) const;

  /// The link is reset: of what is on its way each direction still delivers so many bytes.
  void cut(LinkId link, std::size_t from_connector = 0, std::size_t to_connector = 0);

  /// From here on nothing arrives in either direction, and neither end learns of it.
  void silence(LinkId link);

  /// Changes one byte on its way, the `offset`-th not yet arrived; false if there is none.
  bool corrupt(LinkId link, bool from_connector, std::size_t offset);

  /// Connects to a port end as refused while `refuse`, although somebody listens.
  void refuse_connects(bool refuse) noexcept { refuses_ = refuse; }

  /// Connects get no answer while `ignore`, and end at their deadline.
  void ignore_connects(bool ignore) noexcept { ignores_ = ignore; }

 private:
  friend class VirtualLink;
  friend class VirtualPeer;
  friend class VirtualReactor;
  struct Node;
  struct Attempt;
  struct Listening;

  [[nodiscard]] Node& at(NodeId node);
  [[nodiscard]] const Node& at(NodeId node) const;
  [[nodiscard]] std::shared_ptr<VirtualLink> find(LinkId link) const;
  [[nodiscard]] std::uint64_t random() noexcept;
  [[nodiscard]] net::Address address_of(NodeId node, std::uint16_t port) const;
  [[nodiscard]] std::uint16_t next_port() noexcept;
  bool arrive();
  bool decide_attempts();
  bool turn_nodes();
  [[nodiscard]] std::int64_t next_event_ns() const;
  /// For a reactor that blocks outside of run(): the others go on until its own node has something
  /// to do, or until the deadline.
  void wait(NodeId node, std::int64_t deadline_ns);

  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<VirtualLink>> links_;
  std::vector<Attempt> attempts_;
  std::vector<Listening> listening_;
  std::uint64_t random_;
  std::uint64_t links_made_ = 0;
  std::int64_t steady_ns_;
  std::int64_t utc_offset_ns_;
  std::uint32_t ports_used_ = 0;
  std::size_t last_turned_ = 0;
  bool running_ = false;
  bool refuses_ = false;
  bool ignores_ = false;
};

}  // namespace affix::inline v0::testing
