// SPDX-License-Identifier: MIT
// A machine of a cluster: the venue's application with a complete real engine that replicates its
// journals, and can be killed anywhere and restarted.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/testing/memory_election_store.hpp"
#include "affix/testing/virtual_network.hpp"

#include "simulation/dice.hpp"
#include "simulation/failover_plan.hpp"
#include "simulation/ledger.hpp"
#include "simulation/node_store.hpp"
#include "simulation/referee.hpp"
#include "simulation/virtual_disk.hpp"
#include "support/memory_keepers.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::simulation {

/// Shared by all processes of a history. Outlives them.
struct ClusterWorld {
  const FailoverPlan& plan;
  const std::string& directory;
  Dice& dice;
  Referee& referee;
  testing::VirtualNetwork& network;
  testing::ElectionRegister& election;
  std::deque<Ledger>& ledgers;  ///< By peer.
  std::shared_ptr<support::KeeperInstances> keepers = std::make_shared<support::KeeperInstances>();

  /// Of one history, or of many.
  struct Counts {
    std::uint64_t promotions = 0;
    std::uint64_t hand_overs = 0;
    std::uint64_t kills = 0;
    std::uint64_t lives = 0;
    std::uint64_t unanswered = 0;  ///< Orders whose answer an engine refused at first.
    std::uint64_t continued = 0;   ///< Connections that went on at another node.

    void add(const Counts& other) noexcept {
      promotions += other.promotions;
      hand_overs += other.hand_overs;
      kills += other.kills;
      lives += other.lives;
      unanswered += other.unanswered;
      continued += other.continued;
    }
  } counts;
};

/// A disk that can refuse.
class HarmedDisk final : public VirtualDisk {
 public:
  using VirtualDisk::VirtualDisk;

  enum class Harm : std::uint8_t { None, Full, Failing };

  Harm harm = Harm::None;

  [[nodiscard]] int allocate(int file, const std::string& path,
                             std::uint64_t bytes) noexcept override;
  [[nodiscard]] int sync_file(int file, const std::string& path) noexcept override;
  [[nodiscard]] int write(int file, const std::string& path, std::string_view bytes,
                          std::uint64_t offset) noexcept override;
};

class ClusterNode final : public host::Application {
 public:
  ClusterNode(ClusterWorld& world, std::size_t number);
  ~ClusterNode() override;

  /// Opens the engine with the files on the disk.
  void start();

  /// Kills the process at this point. bury() removes it, which cannot be done from inside it. The
  /// kernel has taken `last_bytes` of a send of `sender` under way.
  void kill(testing::NodeId sender = {}, std::size_t last_bytes = 0);
  void bury();

  /// Kills it at the n-th possible point from now on; 0: not.
  void arm_kill(std::uint32_t points) noexcept { points_left_ = points; }

  /// A point at which the process may be killed. True: it is dead, and its code must have no
  /// further effect.
  bool die_here(testing::NodeId sender = {}, std::size_t bytes = 0);

  [[nodiscard]] bool dead() const noexcept { return engine_ != nullptr && dead_; }

  [[nodiscard]] bool alive() const noexcept { return engine_ != nullptr && !dead_; }

  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  [[nodiscard]] testing::NodeId front() const noexcept { return front_; }

  [[nodiscard]] testing::NodeId back() const noexcept { return back_; }

  /// Of a process that is alive.
  [[nodiscard]] engine::Engine& engine() const noexcept { return *engine_; }

  /// The epoch in which it leads the group; 0: it does not.
  [[nodiscard]] std::uint64_t epoch_of(std::size_t group) const;

  /// The highest such epoch of all groups.
  [[nodiscard]] std::uint64_t epoch_of_any() const;

  /// Its part in the group. Of a process that is alive.
  [[nodiscard]] engine::FailoverStanding standing(std::size_t group) const;

  /// The session with a peer; empty: it is not here.
  [[nodiscard]] host::SessionHandle session(std::size_t peer) const;

  /// Sends messages that nobody asked for.
  void send_news(std::size_t peer, std::uint32_t count);

  [[nodiscard]] HarmedDisk& disk() noexcept { return disk_; }

  /// The process, if any, is killed, and all of its files are gone.
  void lose_disk();

  /// Its files are gone since the last quiet time.
  bool lost_disk = false;

  /// True for an epoch that a process asked for before its files were lost, so that the store may
  /// still grant it.
  [[nodiscard]] bool asked_with_lost_disk(std::string_view group, std::uint64_t epoch) const;

  // host::Application
  [[nodiscard]] host::LogonAnswer on_logon_request(
      host::SessionHandle session, const wire::MessageView& logon) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_failover(const host::FailoverNotice& notice) noexcept override;
  void on_turn_end() noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  void turn();
  void note(const std::string& text) const;
  void answer_open();
  bool answer(std::size_t peer, std::uint64_t order);
  [[nodiscard]] std::size_t peer_of(host::SessionHandle session) const;

  ClusterWorld& world_;
  const std::size_t number_;
  testing::NodeId front_;
  testing::NodeId back_;
  HarmedDisk disk_;
  config::Configuration configuration_;
  std::unique_ptr<engine::Engine> engine_;
  std::uint32_t points_left_ = 0;
  bool dead_ = false;
  std::vector<std::pair<std::size_t, std::uint64_t>> open_;  // Peers and orders to be answered.
  NodeStore::Epochs asked_;
  NodeStore::Epochs asked_with_lost_disk_;
};

}  // namespace affix::simulation
