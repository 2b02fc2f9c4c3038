// SPDX-License-Identifier: MIT
// The router of `affix serve` between sessions, one of which accepts no messages for a while:
// waiting messages keep their order, are sent when there is room, and the sender is informed if
// they never are. In virtual time.
#include "serve/forwarding_application.hpp"

#include "affix/engine/engine.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"
#include "support/whole_file.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
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
    affix::config::SessionSettings& slow =
        add_session(settings, "HUB", "VENUE", directory.path("journal"));
    slow.send_throttle_limit = 2;
    slow.send_throttle_action = config::SendThrottleAction::Refuse;
    settings.engine.log_file = directory.path("log");
    settings.application.application = config::ServedApplication::Router;
    settings.routes = {{.name = "ROUTE",
                        .route_from = "DESK",
                        .route_tag = 0,
                        .route_values = "",
                        .route_to = "VENUE"}};
  }

  void start(ForwardingApplication& application) {
    ASSERT_NO_FATAL_FAILURE(open(application, application));
    log_on(desk);
    log_on(venue);
    ASSERT_EQ(desk.take_messages().size(), 1U);
    ASSERT_EQ(venue.take_messages().size(), 1U);
  }

  /// `application` is `sending`, or forwards callbacks to it.
  void open(host::Application& application, ForwardingApplication& sending) {
    hub = support::start_engine(network, node, settings, application);
    ASSERT_TRUE(hub);
    for (const host::SessionHandle session : hub->sessions()) {
      sending.add(session);
    }
  }

  void log_on(VirtualPeer& peer) {
    peer.sender = &peer == &desk ? "DESK" : "VENUE";
    peer.target = "HUB";
    peer.connect(hub->listening_addresses().front());
    pass(moment_ns);
    peer.say("A", "98=0|108=30");
    pass(moment_ns);
  }

  /// Like SIGKILL.
  void kill() {
    hub->abandon();
    network.kill(node);
    pass(moment_ns);
    hub.reset();
    static_cast<void>(desk.take_messages());
    static_cast<void>(venue.take_messages());
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network.run(ns)); }

  void order(int number, const std::string& more = {}) {
    desk.say("D", "11=" + std::to_string(number) + "|55=X|54=1" + more);
  }

  /// Received ClOrdIDs, concatenated.
  static std::string ids(const std::vector<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages) {
      all += std::string(testing::field_of(message, 11)) + " ";
    }
    return all;
  }

  /// "D1 D2 j4 ": for application messages, the type, and the ClOrdID or the rejected number.
  static std::string told(const std::vector<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages) {
      const std::string type(testing::field_of(message, 35));
      if (type == "D" || type == "j") {
        all += type + std::string(testing::field_of(message, type == "D" ? 11 : 45)) +
               (testing::field_of(message, 97) == "Y" ? "?" : "") + " ";
      }
    }
    return all;
  }

  service::EventLog open_log() const {
    return std::move(*service::EventLog::open(settings.engine));
  }

  support::TemporaryDirectory directory;
  affix::config::Configuration settings;
  VirtualNetwork network;
  testing::NodeId node;
  VirtualPeer desk;
  VirtualPeer venue;
  std::unique_ptr<engine::Engine> hub;
};

TEST_F(Forwarding, WhatWaitsKeepsItsOrderAndGoesOut) {
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  start(router);
  for (int number = 1; number <= 5; ++number) {
    order(number);
  }
  pass(moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "1 2 ");
  // This one comes when the window has just become free, before that was reported: yet it overtakes
  // nothing.
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
  service::EventLog log = open_log();
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
  ASSERT_EQ(told.size(), 2U);  // The end of a waiting reject is not reported.
  for (std::size_t at = 0; at < told.size(); ++at) {
    EXPECT_EQ(testing::field_of(told[at], 35), "j");
    EXPECT_EQ(testing::field_of(told[at], 45), std::to_string(at + 4));
    EXPECT_EQ(testing::field_of(told[at], 372), "D");
    EXPECT_EQ(testing::field_of(told[at], 380), "4");
    EXPECT_EQ(testing::field_of(told[at], 58), "VENUE cannot be reached");
  }
  // None of it remains for the next logon.
  venue.connect(hub->listening_addresses().front());
  pass(moment_ns);
  venue.say("A", "98=0|108=30");
  pass(2 * base::ns_per_second);
  EXPECT_EQ(ids(venue.take_messages()), " ");
}

TEST_F(Forwarding, ASessionThatQueuesTakesWhatWaitedAtItsEnd) {
  settings.sessions.back().send_while_disconnected = session::SendWhileDown::Queue;
  service::EventLog log = open_log();
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

TEST_F(Forwarding, WhatGoesNowhereAndCannotBeRejectedIsLogged) {
  settings.routes.front().route_from = "VENUE";
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    order(1);
    desk.say("j", "45=1|372=8|380=0");
    pass(moment_ns);
    EXPECT_EQ(told(desk.take_messages()), "j2 ");
    hub.reset();
  }
  std::ifstream file(settings.engine.log_file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("message 3 is dropped: no route for this message, and its sender gets no "
                      "reject: a reject is not answered by a reject"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("message 2 is dropped"), std::string::npos) << "its sender knows";
}

TEST_F(Forwarding, AnEchoSendsNoRejectBack) {
  service::EventLog log = open_log();
  EchoApplication echo(log);
  start(echo);
  order(1);
  desk.say("j", "45=2|372=D|380=3");
  order(2);
  pass(moment_ns);
  EXPECT_EQ(ids(desk.take_messages()), "1 2 ");
}

// --- After a kill, and around the end ---

TEST_F(Forwarding, WhatWaitedAtAKillGoesOutInTheNextLife) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    for (int number = 1; number <= 4; ++number) {
      order(number);
    }
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    kill();
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(desk);
  pass(base::ns_per_second);
  EXPECT_EQ(told(desk.take_messages()), "") << "the venue may still come";
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D3 D4 ");
  EXPECT_EQ(told(desk.take_messages()), "");
}

TEST_F(Forwarding, WhoDoesNotComeBackIsNotWaitedForForever) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    for (int number = 1; number <= 3; ++number) {
      order(number);
    }
    pass(moment_ns);
    kill();
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(desk);
  pass(ForwardingApplication::patience_ns / 2);
  EXPECT_EQ(told(desk.take_messages()), "");
  desk.say("0");
  pass(ForwardingApplication::patience_ns / 2);
  desk.say("0");
  pass(base::ns_per_second);
  EXPECT_EQ(told(desk.take_messages()), "j4 ");
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "") << "it has been rejected";
}

/// Dies after a message was processed and before it is marked.
class Mortal final : public host::Application {
 public:
  explicit Mortal(ForwardingApplication& application) : application_(application) {}

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    application_.on_message(session, message, delivery);
    if (message.find(11U) == dies_at) {
      die();
    }
  }

  void on_logon(host::SessionHandle session) noexcept override { application_.on_logon(session); }

  std::string dies_at;
  std::function<void()> die;

 private:
  ForwardingApplication& application_;
};

TEST_F(Forwarding, WhatWasSentBeforeItWasNotedIsNotSentAgain) {
  settings.sessions.back().send_throttle_limit = 0;
  settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
  const auto die_at = [&](const std::string& id) {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    Mortal mortal(router);
    mortal.dies_at = id;
    mortal.die = [&] {
      hub->abandon();
      network.kill(node);
    };
    open(mortal, router);
    log_on(desk);
    log_on(venue);
    order(1);
    order(2);
    pass(moment_ns);
    hub.reset();
    static_cast<void>(desk.take_messages());
    static_cast<void>(venue.take_messages());
  };
  ASSERT_NO_FATAL_FAILURE(die_at("2"));
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(moment_ns);
  venue.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(told(venue.take_messages()), "D1 D2 ") << "stored, and sent again on request only";
}

TEST_F(Forwarding, AnEqualMessageIsAnotherMessage) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    order(1);
    order(2);
    order(2);  // Waits for room; its twin's copy is not its own.
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    kill();
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D2 ");
}

TEST_F(Forwarding, WhereAJournalMayHaveLostItsEndTheCopySaysThatItMayBeTheSecond) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    for (int number = 1; number <= 3; ++number) {
      order(number);
    }
    pass(moment_ns);
    // Like opening after a power loss.
    const host::SessionHandle session = hub->session("VENUE");
    EXPECT_TRUE(host::SessionControls(session).set_next_outgoing(session.next_sender_seq() + 100));
    kill();
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D3? ");
}

TEST_F(Forwarding, WhereAJournalsSegmentsAreGoneTheCopySaysThatItMayBeTheSecond) {
  affix::config::SessionSettings& slow = settings.sessions.back();
  slow.max_serialised_file_size = 8 * 1024;
  const std::string text(16 * 1024, 'x');
  std::string first;
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    const host::SessionHandle session = hub->session("VENUE");
    int number = 0;
    while (host::SessionControls(session).sight().journal_end.segment == 1) {
      ASSERT_LT(++number, 1'000);
      venue.say("8", "128=DESK|58=" + text);
      pass(moment_ns);
    }
    order(1);
    order(2);
    order(3);  // Waits for room.
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    first = std::string(session.journal_directory()) + "/0000000001.journal";
    kill();
  }
  ASSERT_TRUE(std::filesystem::remove(first));
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D3? ");
}

TEST_F(Forwarding, WhatWasRejectedBeforeItWasNotedIsNotSent) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    Mortal mortal(router);
    mortal.dies_at = "1";
    mortal.die = [&] {
      hub->abandon();
      network.kill(node);
    };
    open(mortal, router);
    log_on(desk);
    order(1);
    pass(moment_ns);
    hub.reset();
    static_cast<void>(desk.take_messages());
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "");
  desk.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(told(desk.take_messages()), "j2 ");
}

TEST_F(Forwarding, WhatComesWhileAllIsEndingComesAgain) {
  {
    service::EventLog log = open_log();
    RouterApplication router(log, settings.routes);
    start(router);
    hub->worker(0).finish({});
    pass(moment_ns);
    order(1);
    pass(moment_ns);
    desk.say("5");
    venue.say("5");
    pass(base::ns_per_second);
    EXPECT_EQ(told(desk.take_messages()), "");
    EXPECT_EQ(told(venue.take_messages()), "");
    network.kill(node);
    hub.reset();
  }
  service::EventLog log = open_log();
  RouterApplication router(log, settings.routes);
  open(router, router);
  log_on(venue);
  log_on(desk);
  pass(moment_ns);
  EXPECT_EQ(told(venue.take_messages()), "D1 ");
  EXPECT_EQ(told(desk.take_messages()), "");
}

TEST_F(Forwarding, WhatComesForAnEchoThatIsEndingComesAgain) {
  {
    service::EventLog log = open_log();
    EchoApplication echo(log);
    start(echo);
    hub->worker(0).finish({});
    pass(moment_ns);
    order(1);
    pass(moment_ns);
    desk.say("5");
    venue.say("5");
    pass(base::ns_per_second);
    EXPECT_EQ(told(desk.take_messages()), "");
    network.kill(node);
    hub.reset();
  }
  service::EventLog log = open_log();
  EchoApplication echo(log);
  open(echo, echo);
  log_on(desk);
  pass(moment_ns);
  EXPECT_EQ(told(desk.take_messages()), "D1 ");
}

TEST_F(Forwarding, ADropCopyServesEachReceiverOnce) {
  settings.application.application = config::ServedApplication::DropCopy;
  settings.routes.clear();
  settings.application.drop_copy_from = "DESK";
  settings.application.drop_copy_to = "VENUE,THIRD";
  support::add_session(settings, "HUB", "THIRD", directory.path("journal"));
  VirtualPeer third(network);
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    start(copies);
    third.sender = "THIRD";
    third.target = "HUB";
    third.connect(hub->listening_addresses().front());
    pass(moment_ns);
    third.say("A", "98=0|108=30");
    pass(moment_ns);
    for (int number = 1; number <= 3; ++number) {
      order(number);
    }
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    EXPECT_EQ(told(third.take_messages()), "D1 D2 D3 ");
    kill();
  }
  service::EventLog log = open_log();
  DropCopyApplication copies(log, settings.application);
  open(copies, copies);
  log_on(desk);
  third.connect(hub->listening_addresses().front());
  pass(moment_ns);
  third.say("A", "98=0|108=30");
  pass(moment_ns);
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D3 ");
  EXPECT_EQ(told(third.take_messages()), "") << "it has it";
}

/// A drop copy from DESK to VENUE.
class ForwardingCopies : public Forwarding {
 protected:
  ForwardingCopies() {
    settings.application.application = config::ServedApplication::DropCopy;
    settings.application.drop_copy_from = "DESK";
    settings.application.drop_copy_to = "VENUE";
    settings.routes.clear();
  }

  [[nodiscard]] std::string logged() const { return support::read_file(settings.engine.log_file); }
};

TEST_F(ForwardingCopies, WhatWasInWorkAtAnOrderlyEndIsCopiedInTheNextLife) {
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    start(copies);
    for (int number = 1; number <= 3; ++number) {
      order(number);
    }
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    // The third waits for room, as does the fourth, which comes when both sessions are being logged
    // out; the fifth comes when the receiver has ended.
    hub->worker(0).finish({});
    pass(moment_ns);
    order(4);
    pass(moment_ns);
    venue.say("5");
    venue.close();
    pass(moment_ns);
    order(5);
    pass(moment_ns);
    desk.say("5");
    pass(3 * base::ns_per_second);  // Longer than an end waits for the peer to close.
    ASSERT_TRUE(hub->worker(0).all_down());
    EXPECT_EQ(told(venue.take_messages()), "");
    network.kill(node);
    hub.reset();
  }
  EXPECT_EQ(logged().find("is not passed on"), std::string::npos) << logged();
  service::EventLog log = open_log();
  DropCopyApplication copies(log, settings.application);
  open(copies, copies);
  log_on(desk);
  pass(base::ns_per_second);
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "D3 D4 D5 ");
  EXPECT_EQ(told(desk.take_messages()), "");
}

TEST_F(ForwardingCopies, WhatWasCopiedBeforeAKillAndNotNotedIsNotCopiedAgain) {
  settings.sessions.back().send_throttle_limit = 0;
  settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    Mortal mortal(copies);
    mortal.dies_at = "2";
    mortal.die = [&] {
      hub->abandon();
      network.kill(node);
    };
    open(mortal, copies);
    log_on(desk);
    log_on(venue);
    order(1);
    order(2);
    pass(moment_ns);
    hub.reset();
    static_cast<void>(desk.take_messages());
    static_cast<void>(venue.take_messages());
  }
  service::EventLog log = open_log();
  DropCopyApplication copies(log, settings.application);
  open(copies, copies);
  log_on(venue);
  log_on(desk);
  pass(moment_ns);
  EXPECT_EQ(told(venue.take_messages()), "");
  venue.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(told(venue.take_messages()), "D1 D2 ") << "stored, and sent again on request only";
}

TEST_F(ForwardingCopies, WhatWaitedAtAKillForWhoStaysAwayIsLogged) {
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    start(copies);
    for (int number = 1; number <= 3; ++number) {
      order(number);
    }
    pass(moment_ns);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    kill();
  }
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    open(copies, copies);
    log_on(desk);
    pass(ForwardingApplication::patience_ns / 2);
    desk.say("0");
    log.flush();
    EXPECT_EQ(logged().find("is not passed on"), std::string::npos) << logged();
    pass(ForwardingApplication::patience_ns / 2);
    desk.say("0");
    pass(base::ns_per_second);
    log_on(venue);
    pass(2 * base::ns_per_second);
    EXPECT_EQ(told(venue.take_messages()), "") << "it has been logged";
    EXPECT_EQ(told(desk.take_messages()), "") << "its sender is not concerned";
    hub.reset();
  }
  EXPECT_NE(logged().find("message 4 is not passed on to VENUE: it is not logged on"),
            std::string::npos)
      << logged();
}

TEST_F(ForwardingCopies, WhatTheLogHasNotPassedOnComesAgain) {
  {
    affix::config::EngineSettings full = settings.engine;
    full.log_file = "/dev/full";  // Opens, and takes nothing.
    service::EventLog log = std::move(*service::EventLog::open(full));
    DropCopyApplication copies(log, settings.application);
    open(copies, copies);
    log_on(desk);
    order(1);
    order(2);
    pass(moment_ns);
    log.flush();
    ASSERT_EQ(log.waiting(), 2U) << "the lines that the two are not passed on";
    desk.say("0");
    pass(moment_ns);
    kill();
  }
  {
    service::EventLog log = open_log();
    DropCopyApplication copies(log, settings.application);
    open(copies, copies);
    log_on(desk);
    log_on(venue);
    pass(base::ns_per_second);
    EXPECT_EQ(told(venue.take_messages()), "D1 D2 ");
    venue.say("5");
    pass(moment_ns);
    order(3);
    pass(moment_ns);
    log.flush();
    EXPECT_NE(logged().find("message 6 is not passed on to VENUE"), std::string::npos) << logged();
    desk.say("0");
    pass(moment_ns);
    kill();
  }
  service::EventLog log = open_log();
  DropCopyApplication copies(log, settings.application);
  open(copies, copies);
  log_on(venue);
  log_on(desk);
  pass(base::ns_per_second);
  EXPECT_EQ(told(venue.take_messages()), "") << "the log has it";
}

/// Forwards messages from DESK to VENUE by a forwarder with a small limit.
class NarrowApplication final : public ForwardingApplication {
 public:
  explicit NarrowApplication(service::EventLog& log) : ForwardingApplication(log) {}

  void add(host::SessionHandle session) override { to_ = session; }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    session.keep_message();
    outcomes.push_back(forwarder.forward(
        session, forwarded(session, message, false, to_, Routing::Onward), delivery, to_));
  }

  Forwarder forwarder{64};
  std::vector<Forwarder::Outcome> outcomes;

 private:
  host::SessionHandle to_;  // The last receiver.
};

TEST_F(Forwarding, WhatWaitsHasABound) {
  service::EventLog log = open_log();
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
  const std::vector<Forwarder::Origin> lost = narrow.forwarder.drop(hub->session("VENUE"));
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost.front().sequence, 4U);
  EXPECT_EQ(lost.back().sequence, 6U);
  EXPECT_EQ(lost.back().from, hub->session("DESK"));
  EXPECT_TRUE(narrow.forwarder.drop(hub->session("VENUE")).empty());
}

}  // namespace
}  // namespace affix::tools::serve
