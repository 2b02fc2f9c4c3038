// SPDX-License-Identifier: MIT
// An initiator's hosts, pauses and connect time-out, observed from outside. In virtual time.
#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <algorithm>

namespace affix::support {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;

class EngineHosts : public VirtualPairTest {
 protected:
  EngineHosts() {
    config::ClientSettings& client = firm_settings.clients.front();
    client.connect_timeout_milliseconds = 3'000;
    client.reconnect_milliseconds = 1'000;
    client.reconnect_milliseconds_max = 1'000;
  }

  [[nodiscard]] int timed_out() const { return firm_application.times_heard("N111"); }

  [[nodiscard]] int refused() const { return firm_application.times_heard("N110"); }
};

TEST_F(EngineHosts, AnAttemptThatNobodyAnswersIsGivenUpInTimeAndThePauseKeepsItsBounds) {
  open_venue();
  network.ignore_connects(true);
  open_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  // Three seconds each, and between them three quarters of a second to one second.
  EXPECT_GE(timed_out(), 24);
  EXPECT_LE(timed_out(), 27);
  network.ignore_connects(false);
  ASSERT_TRUE(network.run(5 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(EngineHosts, EveryHostHasItsTurnAndAfterTheLastComesTheFirst) {
  config::ClientSettings& client = firm_settings.clients.front();
  client.primary_port = 4001;  // No listener, like the next two.
  client.secondary_address = "10.0.0.1";
  client.secondary_port = 4002;
  client.further_addresses = "10.0.0.1:4003,10.0.0.1:5001";
  open_venue();
  network.refuse_connects(true);
  open_firm();
  ASSERT_TRUE(network.run(30 * second_ns));
  EXPECT_GE(refused(), 29);  // Repeatedly in turn.
  network.refuse_connects(false);
  ASSERT_TRUE(network.run(5 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  const int before = refused();
  network.kill(venue_node);
  network.set_turn(venue_node, {});
  venue.reset();
  ASSERT_TRUE(network.run(second_ns / 2));
  open_venue();
  ASSERT_TRUE(network.run(6 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  EXPECT_GE(refused(), before + 3);  // It began with the primary host again.
}

}  // namespace
}  // namespace affix::support
