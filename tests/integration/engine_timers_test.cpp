// SPDX-License-Identifier: MIT
// Timer cost of idle sessions: in virtual time, only sessions with due timers are visited, not all
// sessions.
#include "affix/engine/worker_handle.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

namespace affix::support {
namespace {

constexpr int sessions_count = 100;
constexpr std::int64_t slowest_seconds = 60;

std::uint64_t sent_by(const engine::Engine& engine) {
  std::uint64_t sent = 0;
  for (const host::SessionHandle session : engine.sessions()) {
    sent += session.next_sender_seq() - 1;
  }
  return sent;
}

TEST(EngineTimers, ATurnLooksAtTheSessionsThatAreDueAndAtNoOthers) {
  const TemporaryDirectory directory;
  testing::VirtualNetwork network;
  const testing::NodeId venue_node = network.add_node();
  const testing::NodeId firm_node = network.add_node();
  config::Configuration venue_settings = virtual_acceptor();
  config::Configuration firm_settings = virtual_initiator();
  for (int number = 0; number < sessions_count; ++number) {
    const std::string firm = "FIRM" + std::to_string(number);
    for (config::SessionSettings* settings :
         {&add_session(venue_settings, "VENUE", firm, directory.path("venue")),
          &add_session(firm_settings, firm, "VENUE", directory.path("firm"))}) {
      settings->name = firm;
      // Different intervals, so that they are due at different times.
      settings->heartbeat_interval_seconds = slowest_seconds - number % 41;
      settings->max_serialised_file_size = 0;
    }
  }
  Recorder venue_application;
  Recorder firm_application;
  const auto venue = start_engine(network, venue_node, venue_settings, venue_application);
  const auto firm = start_engine(network, firm_node, firm_settings, firm_application);
  ASSERT_TRUE(venue && firm);
  std::uint64_t turns = 0;
  network.set_turn(venue_node, [&] {
    ++turns;
    venue->poll(testing::VirtualNetwork::never_ns);
    venue->prepare_journals();
  });
  ASSERT_TRUE(network.run(10 * base::ns_per_second));
  for (const host::SessionHandle session : venue->sessions()) {
    ASSERT_TRUE(session.logged_on());
  }

  const std::uint64_t visits_before = venue->worker(0).timer_visits();
  const std::uint64_t sent_before = sent_by(*venue);
  turns = 0;
  constexpr std::int64_t seconds = 1'200;
  ASSERT_TRUE(network.run(seconds * base::ns_per_second));
  const std::uint64_t visits = venue->worker(0).timer_visits() - visits_before;
  const std::uint64_t sent = sent_by(*venue) - sent_before;
  EXPECT_GE(sent, std::uint64_t{sessions_count} * seconds / slowest_seconds * 9 / 10);
  // Each heartbeat was due once, and each was sent by a timer. A deadline moved by a message causes
  // one visit at its old time.
  EXPECT_GE(visits, sent);
  EXPECT_LE(visits, 2 * sent + sessions_count);
  // Visiting all sessions in each turn would make this many visits.
  EXPECT_LT(visits, turns * sessions_count / 10);
}

TEST_F(VirtualPairTest, ARestartThatWaitsForTheApplicationsThreadLetsTheWorkerRest) {
  open_venue_with_application_thread();
  ASSERT_TRUE(network.run(base::ns_per_second));
  application_blocked = true;
  const auto change = restart_venues_session();
  ASSERT_TRUE(change);
  // Longer than a restart may wait for the peer.
  venue_turns = 0;
  constexpr std::uint64_t steps_max = 10'000;
  EXPECT_TRUE(network.run(100 * base::ns_per_second, steps_max));
  EXPECT_LT(venue_turns, 1'000U);
  EXPECT_FALSE(change->done());
  application_blocked = false;
  ASSERT_TRUE(network.run(base::ns_per_second, steps_max));
  ASSERT_TRUE(network.run(1));
  EXPECT_TRUE(change->done());
}

class EngineTimersOf : public ::testing::TestWithParam<int> {};

// More sessions than the worker attends at once, and one.
INSTANTIATE_TEST_SUITE_P(Sessions, EngineTimersOf, ::testing::Values(1, 20));

TEST_P(EngineTimersOf, FullOutboxesThatWaitForTheDiskKeepNoWorkerBusy) {
  const TemporaryDirectory directory;
  testing::VirtualNetwork network;
  const testing::NodeId venue_node = network.add_node();
  const testing::NodeId firm_node = network.add_node();
  config::Configuration venue_settings = virtual_acceptor();
  config::Configuration firm_settings = virtual_initiator();
  for (int number = 0; number < GetParam(); ++number) {
    const std::string firm = "FIRM" + std::to_string(number);
    config::SessionSettings& ours =
        add_session(venue_settings, "VENUE", firm, directory.path("venue"));
    ours.durability = journal::Durability::Sync;
    config::SessionSettings& theirs =
        add_session(firm_settings, firm, "VENUE", directory.path("firm"));
    theirs.name = firm;
    theirs.heartbeat_interval_seconds = 1;
  }
  Recorder venue_application;
  Recorder firm_application;
  const auto venue = start_engine(network, venue_node, venue_settings, venue_application);
  const auto firm = start_engine(network, firm_node, firm_settings, firm_application);
  ASSERT_TRUE(venue && firm);
  ASSERT_TRUE(network.run(base::ns_per_second / 2));
  std::size_t sent = 0;
  for (const host::SessionHandle session : venue->sessions()) {
    ASSERT_TRUE(session.logged_on());
    while (send_order(session, "order", std::string(1'000, 'x')).sent()) {
      ++sent;
    }
  }
  EXPECT_GT(sent, 0U);
  // The disk stalls: nothing flushes. Meanwhile a heartbeat of each gets due.
  network.set_turn(venue_node, {});
  ASSERT_TRUE(network.run(3 * base::ns_per_second / 2));
  const std::uint64_t visits_before = venue->worker(0).timer_visits();
  for (int turn = 0; turn < 10; ++turn) {
    venue->poll(0);
  }
  EXPECT_EQ(venue->worker(0).timer_visits() - visits_before, static_cast<std::uint64_t>(GetParam()))
      << "a timer that can do nothing does not come again in each turn";
  EXPECT_EQ(firm_application.messages.size(), 0U);
  network.set_turn(venue_node, [&] {
    venue->poll(testing::VirtualNetwork::never_ns);
    venue->prepare_journals();
  });
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(firm_application.messages.size(), sent);
  for (const host::SessionHandle session : venue->sessions()) {
    EXPECT_TRUE(session.logged_on());
  }
}

}  // namespace
}  // namespace affix::support
