// SPDX-License-Identifier: MIT
// An acceptor's application must cancel the orders of a session that has ended: at once, after a
// grace, not when the peer comes back, and not for ends that do not count. In virtual time.
#include "affix/config/words.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <utility>

namespace affix::support {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;

class EngineCancelOrders : public VirtualPairTest {
 protected:
  void open(std::string mode, std::int64_t grace_ms) {
    config::SessionSettings& session = venue_settings.sessions.front();
    EXPECT_TRUE(config::choose(session, "cancel_on_disconnect", std::move(mode)));
    session.cancel_on_disconnect_grace_milliseconds = grace_ms;
    open_venue();
    open_firm();
  }

  void open_firm() {
    VirtualPairTest::open_firm();
    ASSERT_TRUE(network.run(2 * second_ns));
    ASSERT_TRUE(venue->sessions().front().logged_on());
  }

  void log_firm_out() {
    firm->sessions().front().logout("end of day");
    network.wake(firm_node);
    ASSERT_TRUE(network.run(2 * second_ns));
    ASSERT_FALSE(venue->sessions().front().logged_on());
  }
};

TEST_F(EngineCancelOrders, AtOnceWithoutAGraceAndAfterTheLogout) {
  open("DISCONNECT", 0);
  std::size_t logouts_before = 99;
  venue_application.when_logout = [&](host::SessionHandle) {
    logouts_before = venue_application.cancels.size();
  };
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels,
            (std::vector<std::string>{venue_settings.sessions.front().name}));
  EXPECT_EQ(logouts_before, 0U);
  open_firm();
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 2U);  // Each end counts.
}

TEST_F(EngineCancelOrders, TheGraceIsWaitedFor) {
  open("DISCONNECT", 30'000);
  lose_firm();
  ASSERT_TRUE(network.run(29 * second_ns));
  EXPECT_TRUE(venue_application.cancels.empty());
  ASSERT_TRUE(network.run(2 * second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, APeerThatReconnectsInTimeKeepsItsOrders) {
  open("BOTH", 30'000);
  lose_firm();
  ASSERT_TRUE(network.run(20 * second_ns));
  open_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_TRUE(venue_application.cancels.empty());
  EXPECT_TRUE(venue->sessions().front().logged_on());
}

TEST_F(EngineCancelOrders, ALogoutIsNoDisconnection) {
  open("DISCONNECT", 0);
  log_firm_out();
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
}

TEST_F(EngineCancelOrders, ADisconnectionIsNoLogout) {
  open("LOGOUT", 0);
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
  open_firm();
  log_firm_out();
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, OurOwnLogoutIsALogout) {
  open("LOGOUT", 0);
  venue->sessions().front().logout("closing");
  network.wake(venue_node);
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, ARestartedSessionLeavesItToItsSuccessor) {
  config::SessionSettings& session = venue_settings.sessions.front();
  session.cancel_on_disconnect_grace_milliseconds = 30'000;
  EXPECT_TRUE(config::choose(session, "cancel_on_disconnect", "DISCONNECT"));
  open_venue_with_application_thread();
  open_firm();
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  application_blocked = true;  // Until long after the grace.
  const auto change = restart_venues_session();
  ASSERT_TRUE(change);
  constexpr std::uint64_t steps_max = 10'000;
  ASSERT_TRUE(network.run(60 * second_ns, steps_max));
  EXPECT_FALSE(change->done());
  EXPECT_TRUE(venue->poll_callbacks(0));
  EXPECT_TRUE(venue_application.cancels.empty()) << "called for a session that is gone";
  application_blocked = false;
  ASSERT_TRUE(network.run(second_ns));
  ASSERT_TRUE(network.run(1));
  EXPECT_TRUE(change->done());
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, SessionsWithoutTheKeyAreNotReported) {
  open("OFF", 0);
  lose_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
}

}  // namespace
}  // namespace affix::support
