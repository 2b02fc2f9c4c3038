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
  config::Configuration venue_settings = acceptor_configuration();
  venue_settings.servers.front().nic_address = "10.0.0.1";
  venue_settings.servers.front().accept_port = 5001;
  config::Configuration firm_settings = initiator_configuration(5001);
  firm_settings.clients.front().primary_address = "10.0.0.1";
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

}  // namespace
}  // namespace affix::support
