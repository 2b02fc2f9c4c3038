// SPDX-License-Identifier: MIT
// A node of a cluster: the standby that follows other nodes' groups, the election store, and this
// node's part in each failover group.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/failover_means.hpp"
#include "affix/engine/failover_standing.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/standby.hpp"

#include "config/tls_groups.hpp"
#include "counters/counter_file.hpp"
#include "engine/failover_group.hpp"
#include "engine/node_dialer.hpp"
#include "engine/promise_file.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Driven by three threads, or by one: control(), standby() and prepare(). Destroyed before the
/// registrar and the workers.
class Failover {
 public:
  /// Listens for other nodes, and takes part in the groups that the configuration places here. The
  /// registrar has the sessions of all groups.
  [[nodiscard]] static std::expected<std::unique_ptr<Failover>, config::Problems> open(
      const config::Configuration& configuration, FailoverMeans means,
      const config::TlsGroups& encryption, counters::CounterFile& counters, Registrar& registrar,
      std::vector<Worker*> workers);

  Failover(const Failover&) = delete;
  Failover& operator=(const Failover&) = delete;
  ~Failover();

  /// One look at the store, the standby's news and the shippers. True: something came.
  bool control();

  /// Steady time of the next control() without a wake.
  [[nodiscard]] std::int64_t control_deadline_ns() const;

  /// Woken when control() has something to do.
  [[nodiscard]] net::Waker& control_waker() noexcept { return control_waker_; }

  /// One turn of the standby, which waits until `deadline_ns` of its clock at most.
  void standby(std::int64_t deadline_ns) noexcept;

  [[nodiscard]] net::Waker& standby_waker() noexcept { return reactor_->waker(); }

  /// One turn of everything, for a thread that drives the workers too: does not wait. `deadline_ns`
  /// is that of the thread's own wait. True: something came, and more may follow from it.
  bool poll(std::int64_t deadline_ns) noexcept;

  /// True if a worker has woken control() since the last call.
  [[nodiscard]] bool take_wake() noexcept { return control_waker_.take(); }

  /// Prepares segments of the copies and flushes them. True: it did something.
  bool prepare() noexcept { return standby_->prepare(); }

  [[nodiscard]] net::Waker& copies_waker() noexcept { return copies_waker_; }

  [[nodiscard]] std::int64_t core() const noexcept { return core_; }

  // --- Any thread. ---

  [[nodiscard]] std::vector<FailoverStanding> standings() const;
  [[nodiscard]] std::expected<replication::WishAnswer, base::Error> promote(std::string_view group,
                                                                            replication::Loss loss);
  [[nodiscard]] std::expected<replication::WishAnswer, base::Error> hand_over(
      std::string_view group, std::string_view node);

  /// Ends in order, after the last turn: closes the copies, with their ends on the disk. Blocks on
  /// the disk. Only remember_closed() may follow.
  void end();

  /// After end(), when the engine has closed its sessions' journals: they and the copies survive a
  /// power loss.
  void remember_closed();

 private:
  Failover() = default;

  /// Makes the reactor, unless one was given, and the dialer, and listens.
  [[nodiscard]] std::expected<void, base::Error> open_transport(
      const net::Address& address, std::unique_ptr<net::Reactor> given,
      const config::TlsGroups& encryption);

  /// A connection of another node, or of a stranger, could not be secured.
  void report_fault(const replication::News& news);

  [[nodiscard]] base::Now now() noexcept;
  [[nodiscard]] FailoverGroup* find(std::string_view group) const;

  std::unique_ptr<replication::ElectionStore> store_;
  std::unique_ptr<net::Reactor> reactor_;
  std::unique_ptr<NodeDialer> dialer_;
  net::Waker control_waker_;
  net::Waker copies_waker_;
  std::unique_ptr<replication::Standby> standby_;
  std::unique_ptr<PromiseFiles> promises_;
  std::unique_ptr<SharedKeeper> keeper_;  // Null: there is none.
  std::unique_ptr<FailoverNode> node_;
  std::int64_t core_ = -1;
  net::Wait wait_;
  bool own_time_ = false;  // The reactor was given, and its clock counts.

  mutable std::mutex mutex_;  // Of the groups: control(), and operators.
  std::vector<std::unique_ptr<FailoverGroup>> groups_;
};

}  // namespace affix::inline v0::engine
