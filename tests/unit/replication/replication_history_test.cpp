// SPDX-License-Identifier: MIT
// Random histories of a primary and its standbys, from a seed: stores of every kind, connections
// cut at any byte and silenced, processes killed and restarted, backlogs that overflow, primaries
// that come back with records that nobody else has. At each moment a standby of the in-sync set has
// what a killed primary would have left, and everything that was ever released; after healing all
// journals are equal. AFFIX_ROUNDS sets the number of seeds, AFFIX_SEED the first.
#include "unit/replication/cluster.hpp"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace affix::replication_test {
namespace {

class History {
 public:
  explicit History(std::uint64_t seed)
      : random_(seed), cluster_(seed, 2 + seed % 2, 1 + random_() % 4) {
    VirtualNetwork& network = cluster_.network;
    network.conditions.delay_ns = 20 * base::ns_per_us;
    network.conditions.jitter_ns = chance(2) ? 30 * base::ns_per_us : 0;
    network.conditions.piece_bytes_max = chance(3) ? 300 : 0;
    network.conditions.window_bytes = chance(3) ? 8 * 1024 : 256 * 1024;
    cluster_.journal_options.first_segment_bytes = 16 * 1024;
    cluster_.journal_options.max_segment_bytes = std::uint64_t{16 * 1024} << below(3);
    cluster_.journal_options.sequence_reserve = 40 * (1 + below(50));
    cluster_.journal_options.keep_bytes = chance(3) ? 64 * 1024 : 0;
    cluster_.shipper_options.backlog_bytes = replication::backlog_bytes_min;
    big_messages_ = chance(4);
  }

  void run() {
    for (Machine& machine : cluster_.machines) {
      cluster_.start(machine);
    }
    cluster_.lead(cluster_.machines[0]);
    for (Machine* const machine : cluster_.standbys()) {
      cluster_.follow(*machine);
    }
    for (int phase = 0; phase < 3 && !::testing::Test::HasFailure(); ++phase) {
      for (int step = 0; step < 120 && !::testing::Test::HasFailure(); ++step) {
        if (below(3) != 0) {
          act();
        }
        if (below(12) == 0) {
          fault();
        }
        pass(below(400) * base::ns_per_us);
      }
      heal();
    }
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  bool chance(std::uint64_t of) { return below(of) == 0; }

  void pass(std::uint64_t ns) {
    cluster_.network.run(static_cast<std::int64_t>(ns));
    cluster_.note_released();
    if (chance(2)) {
      cluster_.hold_election();
      cluster_.note_released();
    }
    for (Machine* const machine : cluster_.standbys()) {
      if (machine->process) {
        cluster_.take_news(*machine);
      }
      if (machine->in_set && chance(4)) {
        cluster_.expect_whole(*machine);
      }
    }
  }

  // --- Stores ---

  std::string message() {
    std::size_t bytes = 20 + below(600);
    if (chance(30)) {
      bytes = below(12'000);
    }
    if (big_messages_ && chance(40)) {
      bytes = 50'000 + below(150'000);
    }
    return std::string(bytes, static_cast<char>('a' + below(26)));
  }

  void act() {
    for (std::uint64_t count = 1 + below(chance(20) ? 200 : 8); count > 0; --count) {
      store();
      if (chance(3)) {
        cluster_.leader->process->end_turn();
        cluster_.note_released();
      }
    }
    if (chance(2)) {
      cluster_.leader->process->end_turn();
      cluster_.note_released();
    }
  }

  void store() {
    Process& process = *cluster_.leader->process;
    const std::string& identity = cluster_.identities[below(cluster_.identities.size())];
    journal::Journal& journal = *process.journals[identity];
    const std::int64_t utc_ns = cluster_.network.now(cluster_.leader->worker_node).utc_ns;
    const std::string text = message();
    journal::AppendResult result = journal::AppendResult::Appended;
    switch (below(16)) {
      case 0:
        result = journal.append_event(journal::EventType::Remark, 0, 0, utc_ns, "remark");
        break;
      case 1:
        if (chance(10)) {
          result = journal.append_event(journal::EventType::Reset, 1, 1, utc_ns, "reset");
        }
        break;
      case 2:
        result = journal.append_queued(journal.next_outgoing(), utc_ns, text);
        break;
      case 3:
        static_cast<void>(journal.prepare());
        break;
      case 4:
        if (chance(6)) {
          leave_and_come(identity);
        }
        break;
      case 5:
      case 6:
      case 7:
      case 8:
        result =
            journal
                .append_received(
                    journal.next_expected(), journal.next_expected() + 1, utc_ns, text,
                    chance(4) ? journal::Delivery::SessionOnly : journal::Delivery::Application)
                .result();
        break;
      case 9:
      case 10:
      case 11: {
        const std::vector<Position> open = journal.unprocessed_positions();
        if (!open.empty()) {
          journal.mark_processed(open[below(open.size())]);
        }
        break;
      }
      default:
        result = journal.append_sent(journal.next_outgoing(), utc_ns, text);
        break;
    }
    EXPECT_TRUE(result == journal::AppendResult::Appended ||
                result == journal::AppendResult::TooLarge)
        << to_text(result);
    cluster_.note_store();
  }

  /// A session is removed and added again.
  void leave_and_come(const std::string& identity) {
    Process& process = *cluster_.leader->process;
    process.shipper->remove(process.ids[identity]);
    process.ids[identity] = process.shipper->add(*process.journals[identity], identity);
  }

  // --- Faults ---

  void fault() {
    const std::vector<testing_kit::LinkId> links = cluster_.network.links();
    std::vector<Machine*> others = cluster_.standbys();
    Machine& other = *others[below(others.size())];
    switch (below(7)) {
      case 0:
      case 1:
        if (!links.empty()) {
          cluster_.network.cut(links[below(links.size())], below(3000), below(100));
        }
        break;
      case 2:
        if (!links.empty()) {
          cluster_.network.silence(links[below(links.size())]);
        }
        break;
      case 3:
        cluster_.network.stall(chance(2) ? other.standby_node : cluster_.leader->worker_node,
                               static_cast<std::int64_t>(below(200)) * base::ns_per_ms);
        break;
      case 4:
      case 5:
        if (other.process) {
          cluster_.kill(other);
        } else {
          cluster_.start(other);
          cluster_.follow(other);
        }
        break;
      default:
        fail_over();
        break;
    }
  }

  void fail_over() {
    Machine& former = *cluster_.leader;
    cluster_.note_released();
    cluster_.kill(former);
    pass(below(3) * base::ns_per_ms);
    Machine* next = nullptr;
    for (Machine* const machine : cluster_.standbys()) {
      if (machine->in_set && (next == nullptr || chance(2))) {
        next = machine;
      }
    }
    if (next == nullptr) {
      // Alone, it is the only one that may go on.
      cluster_.start(former);
      cluster_.lead(former);
    } else {
      if (!next->process) {
        cluster_.start(*next);
        cluster_.follow(*next);
      }
      next->process->standby->promise("group", cluster_.epoch + 1);
      next->process->standby->release("group");
      next->process->wake_standby();
      std::vector<replication::News> released;
      for (int tries = 0; released.empty() && tries < 1000; ++tries) {
        cluster_.network.run(base::ns_per_ms);
        released = cluster_.take_news(*next, replication::NewsKind::Released);
      }
      ASSERT_FALSE(released.empty());
      EXPECT_TRUE(released[0].whole);
      // Output that was released before must be there, whatever the primary's last words were.
      cluster_.expect_whole(*next);
      cluster_.lead(*next, std::move(released[0].journals));
    }
    for (Machine* const machine : cluster_.standbys()) {
      if (machine->process) {
        cluster_.follow(*machine);
      } else if (chance(2)) {
        cluster_.start(*machine);
        cluster_.follow(*machine);
      }
    }
  }

  void heal() {
    for (Machine* const machine : cluster_.standbys()) {
      if (!machine->process) {
        cluster_.start(*machine);
        cluster_.follow(*machine);
      }
    }
    cluster_.leader->process->end_turn();
    ASSERT_TRUE(cluster_.settle(20 * base::ns_per_second)) << "they do not come together";
    cluster_.leader->process->end_turn();
    cluster_.network.run(50 * base::ns_per_ms);
    cluster_.note_released();
    for (Machine* const machine : cluster_.standbys()) {
      cluster_.expect_whole(*machine);
    }
    EXPECT_EQ(cluster_.leader->process->shipper->released(),
              cluster_.leader->process->shipper->stored());
    cluster_.expect_equal();
  }

  std::mt19937_64 random_;
  Cluster cluster_;
  bool big_messages_ = false;
};

std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(ReplicationHistory, StandbysHaveWhatAKilledPrimaryWouldHaveLeft) {
  const std::uint64_t first = number_of("AFFIX_SEED", 1);
  const std::uint64_t rounds = number_of("AFFIX_ROUNDS", 12);
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History(seed).run();
    if (HasFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace affix::replication_test
