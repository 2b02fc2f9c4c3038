// SPDX-License-Identifier: MIT
// A cluster in memory: machines whose processes have a worker with a Shipper and a Standby, on a
// virtual network, and the journals of one failover group. Knows at each moment what a killed
// primary would have left, and what was ever released.
#pragma once

#include "affix/journal/copying.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/reader.hpp"
#include "affix/replication.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/temporary_directory.hpp"
#include "unit/journal/copy_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace affix::replication_test {

namespace journal = affix::journal;
namespace net = affix::net;
namespace testing_kit = affix::testing;

using journal::Position;
using testing_kit::VirtualNetwork;

/// Dials on a reactor, without TLS.
class PlainDialer final : public replication::Dialer {
 public:
  explicit PlainDialer(net::Reactor& reactor) : reactor_(reactor) {}

  std::expected<net::ConnectionId, base::Error> dial(const replication::Node& node,
                                                     std::int64_t deadline_ns) override {
    return reactor_.connect(node.address, {}, deadline_ns);
  }

 private:
  net::Reactor& reactor_;
};

/// Facts about a journal that follow from its records.
struct JournalState {
  Position end;  ///< Invalid: there is no record.
  std::vector<Position> unprocessed;

  friend bool operator==(const JournalState&, const JournalState&) = default;
};

/// The end of the record before `end`, which may be in the segment before.
inline Position last_end(const std::string& directory, Position end) {
  if (end.offset > journal::format::records_offset) {
    return end;
  }
  journal::HistoryReader reader(directory);
  const journal::HistoryPiece piece = reader.read({end.segment, 0}, 1);
  if (!piece.header || piece.header->previous_end == 0) {
    return {};
  }
  return last_end(directory, {end.segment - 1, piece.header->previous_end});
}

inline JournalState state_of(const std::string& directory) {
  JournalState state;
  auto reader = journal::Reader::open(directory);
  if (!reader) {
    return state;
  }
  while (const auto record = reader->next()) {
    if (record->kind == journal::Kind::Received && !record->processed) {
      state.unprocessed.push_back(record->position);
    }
  }
  EXPECT_FALSE(reader->damage()) << reader->damage()->text();
  state.end = last_end(directory, reader->position());
  return state;
}

/// The process of a machine.
class Process final : public net::Handler {
  VirtualNetwork& network_;
  testing_kit::NodeId worker_node_;
  testing_kit::NodeId standby_node_;
  std::unique_ptr<net::Reactor> worker_reactor_;
  std::unique_ptr<net::Reactor> standby_reactor_;
  PlainDialer worker_dialer_;
  PlainDialer standby_dialer_;

 public:
  Process(VirtualNetwork& network, testing_kit::NodeId worker_node,
          testing_kit::NodeId standby_node, const replication::Node& self,
          const replication::StandbyOptions& options)
      : network_(network),
        worker_node_(worker_node),
        standby_node_(standby_node),
        worker_reactor_(network.make_reactor(worker_node, {})),
        standby_reactor_(network.make_reactor(standby_node, {})),
        worker_dialer_(*worker_reactor_),
        standby_dialer_(*standby_reactor_) {
    EXPECT_TRUE(standby_reactor_->listen(self.address, {}));
    standby = std::move(*replication::Standby::make(options, *standby_reactor_, standby_dialer_));
    network_.set_turn(worker_node_, [this] { worker_turn(); });
    network_.set_turn(standby_node_, [this] { standby->turn(net::Wait::block_until(never)); });
  }

  ~Process() {
    // As a kill: the kernel ends the connections, and nothing that the objects do matters.
    network_.set_turn(worker_node_, {});
    network_.set_turn(standby_node_, {});
    network_.kill(worker_node_);
    network_.kill(standby_node_);
  }

  static constexpr std::int64_t never = VirtualNetwork::never_ns;

  void lead(replication::ShipperOptions options) {
    shipper = std::move(
        *replication::Shipper::make(std::move(options), *worker_reactor_, worker_dialer_));
    network_.wake(worker_node_);
  }

  /// The worker's turn ends: what was stored leaves.
  void end_turn() {
    if (shipper) {
      shipper->end_turn(worker_reactor_->now());
      network_.wake(worker_node_);
    }
  }

  void wake_standby() { network_.wake(standby_node_); }

  [[nodiscard]] net::Reactor& worker_reactor() { return *worker_reactor_; }

  /// Reads what has come, as a worker does when it wakes up: before the end of its turn.
  void wake_up() {
    const base::Now now = worker_reactor_->now();
    worker_reactor_->poll(now, net::Wait::block_until(now.steady_ns), *this);
  }

  // The Shipper is destroyed before the journals, whose taps it takes off.
  std::map<std::string, std::unique_ptr<journal::Journal>> journals;
  std::map<std::string, std::uint32_t> ids;
  std::unique_ptr<replication::Standby> standby;
  std::unique_ptr<replication::Shipper> shipper;
  std::uint64_t promised = 0;
  bool whole = true;

 private:
  void worker_turn() {
    const base::Now now = worker_reactor_->now();
    std::int64_t deadline = never;
    if (shipper) {
      shipper->end_turn(now);
      deadline = shipper->next_deadline_ns();
    }
    worker_reactor_->poll(now, net::Wait::block_until(deadline), *this);
    if (shipper) {
      shipper->end_turn(worker_reactor_->now());
    }
  }

  void on_connected(net::ConnectionId connection) noexcept override {
    shipper->on_connected(connection);
  }

  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure, int) noexcept override {
    shipper->on_connect_failed(connection);
  }

  std::size_t on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept override {
    return shipper->on_bytes(connection, bytes);
  }

  void on_drained(net::ConnectionId connection) noexcept override {
    shipper->on_drained(connection);
  }

  void on_closed(net::ConnectionId connection, net::CloseReason, int) noexcept override {
    shipper->on_closed(connection);
  }
};

struct Machine {
  replication::Node self;
  testing_kit::NodeId worker_node{};
  testing_kit::NodeId standby_node{};
  std::string root;
  std::unique_ptr<Process> process;  ///< Null: it was killed.
  // As the election has it.
  bool in_gate = false;
  bool in_set = false;
};

class Cluster {
 public:
  Cluster(std::uint64_t seed, std::size_t machine_count, std::size_t journal_count)
      : network(seed), directory_(support::TemporaryDirectory::On::Memory) {
    for (std::size_t at = 0; at < journal_count; ++at) {
      identities.push_back("FIX.4.4:US->P" + std::to_string(at));
    }
    for (std::size_t at = 0; at < machine_count; ++at) {
      Machine machine;
      machine.self.name = "node" + std::to_string(at);
      machine.worker_node = network.add_node();
      machine.standby_node = network.add_node();
      const auto number = static_cast<std::uint32_t>(machine.standby_node);
      machine.self.address = *net::Address::parse("10.0.0." + std::to_string(number) + ":7000");
      machine.root = directory_.path(machine.self.name);
      machines.push_back(std::move(machine));
    }
  }

  [[nodiscard]] std::string directory(const Machine& machine, const std::string& identity) const {
    const auto at = std::ranges::find(identities, identity) - identities.begin();
    return machine.root + "/" + std::to_string(at);
  }

  [[nodiscard]] journal::Options options(const Machine& machine,
                                         const std::string& identity) const {
    journal::Options options = journal_options;
    options.directory = directory(machine, identity);
    options.identity = identity;
    return options;
  }

  void start(Machine& machine) {
    replication::StandbyOptions own = standby_options;
    own.cluster = "cluster";
    own.node = machine.self.name;
    machine.process = std::make_unique<Process>(network, machine.worker_node, machine.standby_node,
                                                machine.self, own);
  }

  void kill(Machine& machine) { machine.process.reset(); }

  /// The machine copies the group of the present leader.
  void follow(Machine& machine) {
    replication::GroupCopy copy{.group = "group", .epoch = epoch, .ack_when = ack_when};
    if (leader != nullptr) {
      copy.primary = leader->self;
    }
    for (const std::string& identity : identities) {
      copy.journals.push_back({identity, options(machine, identity)});
    }
    machine.process->standby->follow(std::move(copy));
    machine.process->wake_standby();
  }

  [[nodiscard]] std::vector<Machine*> standbys() {
    std::vector<Machine*> others;
    for (Machine& machine : machines) {
      if (&machine != leader) {
        others.push_back(&machine);
      }
    }
    return others;
  }

  /// The machine leads the group in the next epoch, with `released` or with what it opens itself.
  void lead(Machine& machine, std::vector<replication::ReleasedJournal> released = {}) {
    ++epoch;
    leader = &machine;
    std::int64_t utc_ns = network.now(machine.worker_node).utc_ns;
    replication::ShipperOptions shipper = shipper_options;
    shipper.cluster = "cluster";
    shipper.node = machine.self.name;
    shipper.group = "group";
    shipper.epoch = epoch;
    for (Machine& other : machines) {
      other.in_gate = false;
      other.in_set = false;
      if (&other != &machine) {
        shipper.standbys.push_back(other.self);
      }
    }
    Process& process = *machine.process;
    process.lead(std::move(shipper));
    std::vector<replication::ServedJournal> served;
    for (const std::string& identity : identities) {
      std::unique_ptr<journal::Journal>& journal = process.journals[identity];
      for (replication::ReleasedJournal& one : released) {
        if (one.identity == identity && one.journal) {
          journal = std::move(one.journal);
          ASSERT_TRUE(journal->lead());
        }
      }
      if (!journal) {
        auto opened = journal::Journal::open(options(machine, identity));
        ASSERT_TRUE(opened) << opened.error().text();
        journal = std::move(*opened);
      }
      ASSERT_EQ(journal->append_epoch(epoch, ++utc_ns, machine.self.name),
                journal::AppendResult::Appended);
      process.ids[identity] = process.shipper->add(*journal, identity);
      served.push_back({identity, directory(machine, identity)});
    }
    process.standby->serve("group", epoch, served);
    process.wake_standby();
    log.clear();
    shown = 0;
    note_store();
  }

  /// After each store of the leader: remembers what a kill would leave now.
  void note_store() {
    Moment moment{.place = leader->process->shipper->stored()};
    for (const std::string& identity : identities) {
      moment.states.push_back(state_in_memory(identity));
    }
    log.push_back(std::move(moment));
  }

  /// After anything that may release output.
  void note_released() {
    if (leader != nullptr && leader->process) {
      shown = std::max(shown, leader->process->shipper->released());
    }
  }

  /// Checks that a machine's files are what the leader's kill would have left at some store, and no
  /// earlier one than the last that was released.
  void expect_whole(const Machine& machine) const {
    std::vector<JournalState> states;
    for (const std::string& identity : identities) {
      states.push_back(state_of(directory(machine, identity)));
    }
    const auto same = std::ranges::find_if(
        log.rbegin(), log.rend(), [&](const Moment& moment) { return moment.states == states; });
    if (same == log.rend()) {
      ADD_FAILURE() << machine.self.name << " has what no kill would have left";
      return;
    }
    const auto index = static_cast<std::size_t>(log.rend() - same) - 1;
    const bool later_released = index + 1 < log.size() && log[index + 1].place <= shown;
    EXPECT_FALSE(later_released) << machine.self.name << " is at store " << index << " of "
                                 << log.size() << ", and " << shown
                                 << " was released; the next is at " << log[index + 1].place;
  }

  /// One look of the election at the masks.
  void hold_election() {
    if (leader == nullptr || !leader->process) {
      return;
    }
    replication::Shipper& shipper = *leader->process->shipper;
    const std::vector<Machine*> others = standbys();
    replication::StandbyMask gate = shipper.gate();
    for (std::size_t at = 0; at < others.size(); ++at) {
      Machine& machine = *others[at];
      const replication::StandbyMask bit = 1U << at;
      if ((shipper.late() & bit) != 0) {
        machine.in_set = false;
        machine.in_gate = false;
      } else if (machine.in_gate && (shipper.covered() & bit) != 0) {
        machine.in_set = true;
      } else if ((shipper.caught_up() & bit) != 0) {
        machine.in_gate = true;
      }
      gate = machine.in_gate ? gate | bit : gate & ~bit;
    }
    if (gate != shipper.gate()) {
      shipper.set_gate(gate);
      network.wake(leader->worker_node);
    }
  }

  [[nodiscard]] bool all_in_set() {
    return std::ranges::all_of(standbys(), [](const Machine* one) { return one->in_set; });
  }

  /// Takes the news of a machine; returns those of `kind`.
  std::vector<replication::News> take_news(
      Machine& machine, std::optional<replication::NewsKind> kind = std::nullopt) {
    std::vector<replication::News> found;
    for (replication::News& news : machine.process->standby->take_news()) {
      if (news.kind == replication::NewsKind::OutOfSync) {
        machine.process->whole = false;
      } else if (news.kind == replication::NewsKind::InSync) {
        machine.process->whole = true;
      }
      if (!kind || news.kind == *kind) {
        found.push_back(std::move(news));
      }
    }
    return found;
  }

  /// Runs until every standby is in the set, for `ns` at most.
  bool settle(std::int64_t ns) {
    // A connection that was silenced is found to be so first.
    const std::int64_t after = network.steady_ns() + 2 * base::ns_per_second;
    const std::int64_t until = after + ns;
    while (network.steady_ns() < until) {
      network.run(base::ns_per_ms);
      note_released();
      hold_election();
      const replication::Shipper& shipper = *leader->process->shipper;
      if (network.steady_ns() > after && all_in_set() && shipper.late() == 0 &&
          shipper.released() == shipper.stored()) {
        return true;
      }
    }
    return false;
  }

  /// Every standby's journals are the leader's, byte for byte.
  void expect_equal() {
    for (Machine* const machine : standbys()) {
      for (const std::string& identity : identities) {
        SCOPED_TRACE(machine->self.name + " " + identity);
        journal_test::expect_same_history(directory(*leader, identity),
                                          directory(*machine, identity));
        EXPECT_EQ(state_of(directory(*leader, identity)).unprocessed,
                  state_of(directory(*machine, identity)).unprocessed);
      }
    }
  }

  struct Moment {
    replication::Place place = 0;
    std::vector<JournalState> states = {};
  };

  VirtualNetwork network;
  std::vector<std::string> identities;
  std::vector<Machine> machines;
  Machine* leader = nullptr;
  std::uint64_t epoch = 0;
  std::vector<Moment> log;
  replication::Place shown = 0;
  journal::Options journal_options;
  replication::AckWhen ack_when = replication::AckWhen::Stored;
  replication::StandbyOptions standby_options;
  replication::ShipperOptions shipper_options;

 private:
  [[nodiscard]] JournalState state_in_memory(const std::string& identity) {
    const std::unique_ptr<journal::Journal>& journal = leader->process->journals[identity];
    return {last_end(directory(*leader, identity), journal->end()),
            journal->unprocessed_positions()};
  }

  support::TemporaryDirectory directory_;
};

}  // namespace affix::replication_test
