// SPDX-License-Identifier: MIT
// Kills at one point of a turn, between two effects that real processes cannot be stopped between,
// and successors in the middle of the same connection.
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
    auto opened = engine::Engine::open(
        venue_settings, venue_application,
        network.make_reactor(venue_node, engine::Engine::reactor_options(venue_settings)),
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

  HeldSockets held_;
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

}  // namespace
}  // namespace affix::support
