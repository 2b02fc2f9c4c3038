// SPDX-License-Identifier: MIT
// Kills at one point of a turn, between two effects that real processes cannot be stopped between,
// and successors in the middle of the same connection.
#include "affix/host/session_controls.hpp"

#include "support/held_sockets.hpp"
#include "support/virtual_engine.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::support {
namespace {

class VirtualContinuation : public VirtualPairTest {
 protected:
  VirtualContinuation() {
    open_kept_venue();
    open_firm();
    EXPECT_TRUE(network.run(base::ns_per_second));
    EXPECT_EQ(venue_application.logons.size(), 1U);
  }

  void open_kept_venue() {
    venue.reset();
    auto keeper = held_.new_owner();
    auto kept = keeper->take().value();
    net::ReactorOptions limits = engine::Engine::reactor_options(venue_settings);
    limits.tx_buffer_capacity = transport_bytes;
    auto opened = engine::Engine::open(venue_settings, venue_application,
                                       network.make_reactor(venue_node, limits),
                                       {std::move(keeper), std::move(kept)});
    ASSERT_TRUE(opened) << config::text_of(opened.error());
    venue = std::move(*opened);
    network.set_turn(venue_node, [this] {
      venue->poll(testing::VirtualNetwork::never_ns);
      venue->prepare_journals();
    });
  }

  /// Also from inside the venue's turn.
  void kill_venue() {
    venue->abandon();
    held_.disown();
    network.kill(venue_node, held_.connections());
    network.set_turn(venue_node, {});
  }

  void expect_no_disconnect() const {
    EXPECT_TRUE(firm_application.logouts.empty()) << firm_application.all_events();
    EXPECT_FALSE(venue_application.heard_code("K301")) << venue_application.all_events();
  }

  /// Time for which nobody served, according to the session that went on.
  [[nodiscard]] std::int64_t silent_ns() const {
    return host::SessionControls(venue->sessions().front()).sight().silent_ns;
  }

  /// The venue is killed now, and its successor begins `away_ns` later.
  void replace_venue(std::int64_t away_ns) {
    kill_venue();
    EXPECT_TRUE(network.run(away_ns));
    open_kept_venue();
    EXPECT_TRUE(network.run(base::ns_per_ms));
    EXPECT_TRUE(venue_application.heard_code("K302")) << venue_application.all_events();
  }

  /// Sends orders that the firm does not read until the venue has no room for more. Their ids.
  std::vector<std::string> fill_output() {
    network.stall(firm_node, base::ns_per_second);
    std::vector<std::string> ids;
    for (;;) {
      const std::string id = std::to_string(ids.size());
      if (send_order(venue->sessions().front(), id).status != host::SendStatus::Sent) {
        return ids;
      }
      ids.push_back(id);
    }
  }

  HeldSockets held_;
  std::uint32_t transport_bytes = 1024 * 1024;
};

class VirtualContinuationWithLittleRoom : public VirtualContinuation {
 protected:
  VirtualContinuationWithLittleRoom() {
    kill_venue();
    network.conditions.window_bytes = 2'000;
    venue_settings.servers.front().tx_encode_buffer_capacity = outbox_bytes;
    transport_bytes = 64 * 1024;
    open_kept_venue();
    EXPECT_TRUE(network.run(base::ns_per_second));
    firm_application.messages.clear();
  }

  static constexpr std::int64_t outbox_bytes = 32 * 1024;
};

TEST_F(VirtualContinuation, AKillInTheLogonsCallbackLeavesNothingThatTheJournalLacks) {
  kill_venue();
  open_kept_venue();
  // The session has placed its TestRequest by then.
  venue_application.when_logon = [this](host::SessionHandle) { kill_venue(); };
  EXPECT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue_application.logons.size(), 2U);
  venue_application.when_logon = {};
  open_kept_venue();
  EXPECT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue_application.logons.size(), 3U);
  expect_no_disconnect();
}

TEST_F(VirtualContinuation, WhatIsQueuedBeforeTheFirstTurnLeavesOnTheSameConnection) {
  kill_venue();
  venue_settings.sessions.front().send_while_disconnected = session::SendWhileDown::Queue;
  open_kept_venue();
  EXPECT_EQ(send_order(venue->sessions().front(), "early").status, host::SendStatus::Queued);
  EXPECT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(send_order(venue->sessions().front(), "later").status, host::SendStatus::Sent);
  EXPECT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(firm_application.ids(), (std::vector<std::string>{"early", "later"}));
  expect_no_disconnect();
}

TEST_F(VirtualContinuationWithLittleRoom, MoreThanTheTransportTakesLeavesAsThePeerReads) {
  const std::vector<std::string> ids = fill_output();
  kill_venue();
  open_kept_venue();
  // Nothing overtakes what is left.
  EXPECT_TRUE(network.run(base::ns_per_ms));
  EXPECT_EQ(send_order(venue->sessions().front(), "later").status, host::SendStatus::Sent);
  EXPECT_TRUE(network.run(2 * base::ns_per_second));
  std::vector<std::string> wanted = ids;
  wanted.emplace_back("later");
  EXPECT_EQ(firm_application.ids(), wanted);
  EXPECT_EQ(venue_application.admin_types.find('2'), std::string::npos) << "a resend was needed";
  expect_no_disconnect();
  EXPECT_TRUE(network.run(100 * base::ns_per_second)) << "the session goes on";
  expect_no_disconnect();
}

TEST_F(VirtualContinuationWithLittleRoom, AKillWhileTheRestLeavesChangesNothing) {
  const std::vector<std::string> ids = fill_output();
  std::vector<std::string> wanted = ids;
  for (int life = 0; life < 12; ++life) {
    kill_venue();
    open_kept_venue();
    EXPECT_TRUE(network.run(base::ns_per_ms));
    const std::string id = "life " + std::to_string(life);
    if (send_order(venue->sessions().front(), id).status == host::SendStatus::Sent) {
      wanted.push_back(id);
    }
    if (life == 3) {
      network.stall(firm_node, 0);
    }
    EXPECT_TRUE(network.run(3 * base::ns_per_ms));
  }
  EXPECT_TRUE(network.run(2 * base::ns_per_second));
  EXPECT_EQ(firm_application.ids(), wanted);
  EXPECT_EQ(venue_application.admin_types.find('2'), std::string::npos) << "a resend was needed";
  EXPECT_GT(wanted.size(), ids.size() + 5);
  expect_no_disconnect();
}

TEST_F(VirtualContinuationWithLittleRoom, APeerThatReadsNothingOfTheRestIsLeftInTime) {
  venue_settings.sessions.front().output_timeout_seconds = 3;
  static_cast<void>(fill_output());
  kill_venue();
  network.stall(firm_node, 60 * base::ns_per_second);
  open_kept_venue();
  EXPECT_TRUE(network.run(2 * base::ns_per_second));
  expect_no_disconnect();
  EXPECT_TRUE(venue_application.logouts.empty());
  EXPECT_TRUE(network.run(2 * base::ns_per_second));
  EXPECT_TRUE(venue_application.heard_code("S303")) << venue_application.all_events();
}

TEST_F(VirtualContinuation, TheSilenceOfAnIdleSessionIsThePause) {
  EXPECT_TRUE(network.run(10'400 * base::ns_per_ms));  // Its last message is as old.
  held_.owner_ended_ns = network.steady_ns();
  replace_venue(30 * base::ns_per_ms);
  EXPECT_GE(silent_ns(), 30 * base::ns_per_ms);
  EXPECT_LE(silent_ns(), 31 * base::ns_per_ms);
}

TEST_F(VirtualContinuation, WithoutAWitnessTheSilenceBeginsWithTheLastTurn) {
  EXPECT_TRUE(network.run(10'400 * base::ns_per_ms));
  replace_venue(30 * base::ns_per_ms);
  EXPECT_GE(silent_ns(), 30 * base::ns_per_ms);
  EXPECT_LE(silent_ns(), 1'031 * base::ns_per_ms);
}

TEST_F(VirtualContinuation, TheSilenceOfAProcessThatHungBeginsWithItsLastTurn) {
  network.stall(venue_node, 60 * base::ns_per_second);
  EXPECT_TRUE(network.run(20 * base::ns_per_second));
  held_.owner_ended_ns = network.steady_ns();
  network.stall(venue_node, 0);
  replace_venue(30 * base::ns_per_ms);
  EXPECT_GE(silent_ns(), 20 * base::ns_per_second);
  EXPECT_LE(silent_ns(), 21'031 * base::ns_per_ms);
}

TEST_F(VirtualContinuation, ASuccessorThatDiesAtOnceDoesNotShortenTheSilence) {
  held_.owner_ended_ns = network.steady_ns();
  kill_venue();
  EXPECT_TRUE(network.run(20 * base::ns_per_ms));
  open_kept_venue();
  held_.owner_ended_ns = network.steady_ns();
  replace_venue(30 * base::ns_per_ms);
  EXPECT_GE(silent_ns(), 50 * base::ns_per_ms);
  EXPECT_LE(silent_ns(), 51 * base::ns_per_ms);
}

}  // namespace
}  // namespace affix::support
