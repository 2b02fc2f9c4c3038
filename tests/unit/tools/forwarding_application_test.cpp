// SPDX-License-Identifier: MIT
// The router of `affix serve` between sessions of which one takes no more for a while: what waits
// keeps its order, goes out when there is room, and is told to its sender when it never does. In
// virtual time.
#include "serve/forwarding_application.hpp"

#include "affix/engine/engine.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "support/engine_case.hpp"

#include <memory>
#include <string>
#include <vector>

namespace affix::tools::serve {
namespace {

using support::add_session;
using testing::VirtualNetwork;
using testing::VirtualPeer;

constexpr std::int64_t moment_ns = 10 * base::ns_per_ms;

class Forwarding : public ::testing::Test {
 protected:
  Forwarding() : node(network.add_node()), desk(network), venue(network) {
    settings = support::acceptor_configuration();
    settings.servers.front().nic_address = "10.0.0.1";
    settings.servers.front().accept_port = 5001;
    add_session(settings, "HUB", "DESK", directory.path("journal"));
    engine::SessionSettings& slow =
        add_session(settings, "HUB", "VENUE", directory.path("journal"));
    slow.send_throttle_limit = 2;
    slow.send_throttle_action = "REFUSE";
    settings.engine.log_file = directory.path("log");
    settings.routes = {{.name = "ROUTE",
                        .route_from = "DESK",
                        .route_tag = 0,
                        .route_values = "",
                        .route_to = "VENUE"}};
  }

  void start(ForwardingApplication& application) {
    auto opened =
        engine::Engine::open(settings, application,
                             network.make_reactor(node, engine::Engine::reactor_options(settings)));
    ASSERT_TRUE(opened) << engine::text_of(opened.error());
    hub = std::move(*opened);
    network.set_turn(node, [this] {
      hub->poll(VirtualNetwork::never_ns);
      hub->prepare_journals();
    });
    for (const engine::SessionHandle session : hub->sessions()) {
      application.add(session);
    }
    for (VirtualPeer* const peer : {&desk, &venue}) {
      peer->sender = peer == &desk ? "DESK" : "VENUE";
      peer->target = "HUB";
      peer->connect(hub->listening_addresses().front());
      pass(moment_ns);
      peer->say("A", "98=0|108=30");
      pass(moment_ns);
      ASSERT_EQ(peer->take_messages().size(), 1U);
    }
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network.run(ns)); }

  void order(int number, const std::string& more = {}) {
    desk.say("D", "11=" + std::to_string(number) + "|55=X|54=1" + more);
  }

  /// ClOrdIDs that came, one behind the other.
  static std::string ids(const std::vector<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages) {
      all += std::string(testing::field_of(message, 11)) + " ";
    }
    return all;
  }

  EventLog open_log() const { return std::move(*EventLog::open(settings.engine)); }

  support::TemporaryDirectory directory;
  engine::Configuration settings;
  VirtualNetwork network;
  testing::NodeId node;
  VirtualPeer desk;
  VirtualPeer venue;
  std::unique_ptr<engine::Engine> hub;
};

TEST_F(Forwarding, WhatWaitsKeepsItsOrderAndGoesOut) {
  EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  start(router);
  for (int number = 1; number <= 5; ++number) {
    order(number);
  }
  pass(moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "1 2 ");
  // This one comes when the window has just become free, and before that was told: it overtakes
  // nothing all the same.
  pass(base::ns_per_second - moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "");
  order(6);
  pass(moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "3 4 ");
  pass(base::ns_per_second);
  EXPECT_EQ(ids(venue.take_messages()), "5 6 ");
  EXPECT_TRUE(desk.take_messages().empty());
}

TEST_F(Forwarding, WhatWaitedInVainIsToldToItsSender) {
  EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  start(router);
  for (int number = 1; number <= 4; ++number) {
    order(number);
  }
  desk.say("j", "45=1|372=8|380=0");
  pass(moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "1 2 ");
  venue.close();
  pass(moment_ns);
  const std::vector<std::string> told = desk.take_messages();
  ASSERT_EQ(told.size(), 2U);  // Of the reject that waited nobody is told.
  for (std::size_t at = 0; at < told.size(); ++at) {
    EXPECT_EQ(testing::field_of(told[at], 35), "j");
    EXPECT_EQ(testing::field_of(told[at], 45), std::to_string(at + 4));
    EXPECT_EQ(testing::field_of(told[at], 372), "D");
    EXPECT_EQ(testing::field_of(told[at], 380), "4");
    EXPECT_EQ(testing::field_of(told[at], 58), "VENUE cannot be reached");
  }
  // Nothing of it is left for the next logon.
  venue.connect(hub->listening_addresses().front());
  pass(moment_ns);
  venue.say("A", "98=0|108=30");
  pass(2 * base::ns_per_second);
  EXPECT_EQ(ids(venue.take_messages()), " ");
}

TEST_F(Forwarding, ASessionThatQueuesTakesWhatWaitedAtItsEnd) {
  settings.sessions.back().send_while_disconnected = "QUEUE";
  EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  start(router);
  for (int number = 1; number <= 4; ++number) {
    order(number);
  }
  pass(moment_ns);
  venue.close();
  pass(moment_ns);
  EXPECT_TRUE(desk.take_messages().empty());
  EXPECT_EQ(hub->session("VENUE").next_sender_seq(), 6U);  // Logon, and all four.
}

TEST_F(Forwarding, AnEchoSendsNoRejectBack) {
  EventLog log = open_log();
  EchoApplication echo(log);
  start(echo);
  order(1);
  desk.say("j", "45=2|372=D|380=3");
  order(2);
  pass(moment_ns);
  EXPECT_EQ(ids(desk.take_messages()), "1 2 ");
}

/// Passes what comes from DESK to VENUE through a forwarder that keeps little.
class NarrowApplication final : public ForwardingApplication {
 public:
  explicit NarrowApplication(EventLog& log) : ForwardingApplication(log) {}

  void add(engine::SessionHandle session) override { to_ = session; }

  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override {
    outcomes.push_back(forwarder.forward(session, message, delivery, to_, Routing::Onward));
  }

  Forwarder forwarder{64};
  std::vector<Forwarder::Outcome> outcomes;

 private:
  engine::SessionHandle to_;  // The last one.
};

TEST_F(Forwarding, WhatWaitsHasABound) {
  EventLog log = open_log();
  NarrowApplication narrow(log);
  start(narrow);
  order(1);
  order(2);
  order(3);
  order(4, "|58=" + std::string(64, 'x'));
  order(5);
  pass(moment_ns);
  using enum Forwarder::Outcome;
  EXPECT_EQ(narrow.outcomes, (std::vector{Sent, Sent, Waiting, Full, Waiting}));
  const std::vector<Forwarder::Lost> lost = narrow.forwarder.drop(hub->session("VENUE"));
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost.front().sequence, 4U);
  EXPECT_EQ(lost.back().sequence, 6U);
  EXPECT_EQ(lost.back().from, hub->session("DESK"));
  EXPECT_TRUE(narrow.forwarder.drop(hub->session("VENUE")).empty());
}

}  // namespace
}  // namespace affix::tools::serve
