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
#include "support/has_message.hpp"
#include "support/virtual_engine.hpp"
#include "support/whole_file.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::serve {
namespace {

using support::add_session;
using testing::VirtualNetwork;
using testing::VirtualPeer;

constexpr std::int64_t moment_ns = 10 * base::ns_per_ms;

/// Dies after a message was processed and before it is marked.
class Mortal final : public host::Application {
 public:
  Mortal(ForwardingApplication& application, std::string dies_at, std::function<void()> die)
      : application_(application), dies_at_(std::move(dies_at)), die_(std::move(die)) {}

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    application_.on_message(session, message, delivery);
    if (message.find(11U) == dies_at_) {
      die_();
    }
  }

  void on_logon(host::SessionHandle session) noexcept override { application_.on_logon(session); }

 private:
  ForwardingApplication& application_;
  std::string dies_at_;
  std::function<void()> die_;
};

class Forwarding : public ::testing::Test {
 protected:
  Forwarding() : node(network.add_node()), desk(network), venue(network) {
    settings = support::virtual_acceptor();
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
    desk.sender = "DESK";
    venue.sender = "VENUE";
  }

  void start() {
    ASSERT_NO_FATAL_FAILURE(open());
    log_on(desk);
    log_on(venue);
    ASSERT_EQ(desk.take_messages().size(), 1U);
    ASSERT_EQ(venue.take_messages().size(), 1U);
  }

  /// Begins a life of the hub; with `dies_at`, it ends with the message of this ClOrdID.
  void open(const std::string& dies_at = {}) {
    application.reset();
    log.reset();
    log.emplace(std::move(*service::EventLog::open(settings.engine)));
    application = make_application();
    host::Application* served = application.get();
    if (!dies_at.empty()) {
      mortal = std::make_unique<Mortal>(*application, dies_at, [this] { die(); });
      served = mortal.get();
    }
    hub = support::start_engine(network, node, settings, *served);
    ASSERT_TRUE(hub);
    for (const host::SessionHandle session : hub->sessions()) {
      application->add(session);
    }
  }

  [[nodiscard]] virtual std::unique_ptr<ForwardingApplication> make_application() {
    switch (settings.application.application) {
      case config::ServedApplication::Echo:
        return std::make_unique<EchoApplication>(*log);
      case config::ServedApplication::DropCopy:
        return std::make_unique<DropCopyApplication>(*log, settings.application);
      default:
        return std::make_unique<RouterApplication>(*log, settings.routes);
    }
  }

  void log_on(VirtualPeer& peer) {
    peer.target = "HUB";
    peer.connect(hub->listening_addresses().front());
    pass(moment_ns);
    peer.say("A", "98=0|108=30");
    pass(moment_ns);
  }

  /// Like SIGKILL.
  void die() {
    hub->abandon();
    network.kill(node);
  }

  void end() {
    hub.reset();
    static_cast<void>(desk.take_messages());
    static_cast<void>(venue.take_messages());
  }

  void kill() {
    die();
    pass(moment_ns);
    end();
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network.run(ns)); }

  void order(int number, const std::string& more = {}) {
    desk.say("D", "11=" + std::to_string(number) + "|55=X|54=1" + more);
  }

  /// Orders 1 to `last`, and a moment.
  void orders(int last) {
    for (int number = 1; number <= last; ++number) {
      order(number);
    }
    pass(moment_ns);
  }

  /// Orders 1 and 2 are sent on in a life that ends before that is noted; then the next one has
  /// both sessions logged on.
  void send_two_unnoted() {
    open("2");
    log_on(desk);
    log_on(venue);
    orders(2);
    end();
    open();
    log_on(venue);
    log_on(desk);
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
  static std::string reported(const std::vector<std::string>& messages) {
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

  [[nodiscard]] std::string logged() {
    log->flush();
    return support::read_file(settings.engine.log_file);
  }

  support::TemporaryDirectory directory;
  affix::config::Configuration settings;
  VirtualNetwork network;
  testing::NodeId node;
  VirtualPeer desk;
  VirtualPeer venue;
  std::optional<service::EventLog> log;
  std::unique_ptr<ForwardingApplication> application;
  std::unique_ptr<Mortal> mortal;
  std::unique_ptr<engine::Engine> hub;
};

TEST_F(Forwarding, WaitingMessagesKeepTheirOrderAndGoOut) {
  start();
  orders(5);
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

TEST_F(Forwarding, AMessageThatWaitedInVainIsReportedToItsSender) {
  start();
  orders(4);
  desk.say("j", "45=1|372=8|380=0");
  pass(moment_ns);
  EXPECT_EQ(ids(venue.take_messages()), "1 2 ");
  venue.close();
  pass(moment_ns);
  const std::vector<std::string> reported = desk.take_messages();
  ASSERT_EQ(reported.size(), 2U);  // The end of a waiting reject is not reported.
  for (std::size_t at = 0; at < reported.size(); ++at) {
    EXPECT_EQ(testing::field_of(reported[at], 35), "j");
    EXPECT_EQ(testing::field_of(reported[at], 45), std::to_string(at + 4));
    EXPECT_EQ(testing::field_of(reported[at], 372), "D");
    EXPECT_EQ(testing::field_of(reported[at], 380), "4");
    EXPECT_EQ(testing::field_of(reported[at], 58), "VENUE cannot be reached");
  }
  // None of it remains for the next logon.
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(ids(venue.take_messages()), " ");
}

TEST_F(Forwarding, ASessionThatQueuesTakesMessagesThatWaitedAtItsEnd) {
  settings.sessions.back().send_while_disconnected = session::SendWhileDown::Queue;
  start();
  orders(4);
  venue.close();
  pass(moment_ns);
  EXPECT_TRUE(desk.take_messages().empty());
  EXPECT_EQ(hub->session("VENUE").next_sender_seq(), 6U);  // Logon, and all four.
}

TEST_F(Forwarding, AMessageWithoutARouteThatCannotBeRejectedIsLogged) {
  settings.routes.front().route_from = "VENUE";
  start();
  order(1);
  desk.say("j", "45=1|372=8|380=0");
  pass(moment_ns);
  EXPECT_EQ(reported(desk.take_messages()), "j2 ");
  const std::string text = logged();
  EXPECT_TRUE(support::has_message(text, "P104", {"message 3 "}));
  EXPECT_FALSE(support::has_message(text, "P104", {"message 2 "})) << "its sender knows";
}

TEST_F(Forwarding, AnEchoSendsNoRejectBack) {
  settings.application.application = config::ServedApplication::Echo;
  settings.routes.clear();
  start();
  order(1);
  desk.say("j", "45=2|372=D|380=3");
  order(2);
  pass(moment_ns);
  EXPECT_EQ(ids(desk.take_messages()), "1 2 ");
}

// --- After a kill, and around the end ---

TEST_F(Forwarding, MessagesThatWaitedAtAKillGoOutInTheNextLife) {
  start();
  orders(4);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  kill();
  open();
  log_on(desk);
  pass(base::ns_per_second);
  EXPECT_EQ(reported(desk.take_messages()), "") << "the venue may still come";
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D3 D4 ");
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(Forwarding, ASessionThatDoesNotComeBackIsNotWaitedForForever) {
  start();
  orders(3);
  kill();
  open();
  log_on(desk);
  pass(ForwardingApplication::patience_ns / 2);
  EXPECT_EQ(reported(desk.take_messages()), "");
  desk.say("0");
  pass(ForwardingApplication::patience_ns / 2);
  desk.say("0");
  pass(base::ns_per_second);
  EXPECT_EQ(reported(desk.take_messages()), "j4 ");
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "") << "it has been rejected";
}

TEST_F(Forwarding, AMessageSentBeforeItWasNotedIsNotSentAgain) {
  settings.sessions.back().send_throttle_limit = 0;
  settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
  send_two_unnoted();
  pass(moment_ns);
  venue.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ") << "stored, and sent again on request only";
}

TEST_F(Forwarding, AMessageWithFixedHeaderFieldsOfItsSessionIsFoundInItsJournal) {
  settings.sessions.back().send_throttle_limit = 0;
  settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
  settings.sessions.back().additional_static_header_tags = "128=EXCH,5001=X";
  send_two_unnoted();
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "") << "it has it";
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(Forwarding, AMessageWhoseSecretIsNotStoredIsRejectedInTheNextLife) {
  settings.sessions.front().secret_tags = "1";
  start();
  for (int number = 1; number <= 4; ++number) {
    order(number, "|1=ACC7");
  }
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  kill();
  open();
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "") << "a mask is no account";
  EXPECT_EQ(reported(desk.take_messages()), "j4 j5 ");
}

/// The router has sent a message with a secret, and died before it noted that.
class ForwardingSecret : public Forwarding {
 protected:
  void send_and_begin_anew() {
    settings.sessions.back().send_throttle_limit = 0;
    settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
    open("1");
    log_on(desk);
    log_on(venue);
    order(1, "|1=ACC7|554=password");
    pass(moment_ns);
    end();
    open();
    log_on(venue);
    log_on(desk);
    pass(moment_ns);
  }
};

TEST_F(ForwardingSecret, IsFoundIfTheSendersJournalMasksIt) {
  settings.sessions.front().secret_tags = "1";
  send_and_begin_anew();
  EXPECT_EQ(reported(venue.take_messages()), "") << "it has it";
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(ForwardingSecret, IsFoundIfTheReceiversJournalMasksIt) {
  settings.sessions.back().secret_tags = "1,554";
  send_and_begin_anew();
  EXPECT_EQ(reported(venue.take_messages()), "") << "it has it";
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(Forwarding, AnEqualMessageIsAnotherMessage) {
  start();
  order(1);
  order(2);
  order(2);  // Waits for room; its twin's copy is not its own.
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  kill();
  open();
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D2 ");
}

TEST_F(Forwarding, WhereAJournalMayHaveLostItsEndTheCopySaysThatItMayBeTheSecond) {
  start();
  orders(3);
  // Like opening after a power loss.
  const host::SessionHandle session = hub->session("VENUE");
  EXPECT_TRUE(host::SessionControls(session).set_next_outgoing(session.next_sender_seq() + 100));
  kill();
  open();
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D3? ");
}

TEST_F(Forwarding, WhereAJournalsSegmentsAreGoneTheCopySaysThatItMayBeTheSecond) {
  affix::config::SessionSettings& slow = settings.sessions.back();
  slow.max_serialised_file_size = 8 * 1024;
  const std::string text(16 * 1024, 'x');
  start();
  const host::SessionHandle session = hub->session("VENUE");
  int number = 0;
  while (host::SessionControls(session).sight().journal_end.segment == 1) {
    ASSERT_LT(++number, 1'000);
    venue.say("8", "128=DESK|58=" + text);
    pass(moment_ns);
  }
  orders(3);  // The last waits for room.
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  const std::string first = std::string(session.journal_directory()) + "/0000000001.journal";
  kill();
  ASSERT_TRUE(std::filesystem::remove(first));
  open();
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D3? ");
}

TEST_F(Forwarding, AMessageRejectedBeforeItWasNotedIsNotSent) {
  open("1");
  log_on(desk);
  orders(1);
  end();
  open();
  log_on(venue);
  log_on(desk);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "");
  desk.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(reported(desk.take_messages()), "j2 ");
}

TEST_F(Forwarding, AMessageThatComesWhileTheServiceEndsComesAgain) {
  start();
  hub->worker(0).finish({});
  pass(moment_ns);
  orders(1);
  desk.say("5");
  venue.say("5");
  pass(base::ns_per_second);
  EXPECT_EQ(reported(desk.take_messages()), "");
  EXPECT_EQ(reported(venue.take_messages()), "");
  network.kill(node);
  end();
  open();
  log_on(venue);
  log_on(desk);
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "D1 ");
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(Forwarding, AMessageForAnEchoThatIsEndingComesAgain) {
  settings.application.application = config::ServedApplication::Echo;
  settings.routes.clear();
  start();
  hub->worker(0).finish({});
  pass(moment_ns);
  orders(1);
  desk.say("5");
  venue.say("5");
  pass(base::ns_per_second);
  EXPECT_EQ(reported(desk.take_messages()), "");
  network.kill(node);
  end();
  open();
  log_on(desk);
  pass(moment_ns);
  EXPECT_EQ(reported(desk.take_messages()), "D1 ");
}

TEST_F(Forwarding, ADropCopyServesEachReceiverOnce) {
  settings.application.application = config::ServedApplication::DropCopy;
  settings.routes.clear();
  settings.application.drop_copy_from = "DESK";
  settings.application.drop_copy_to = "VENUE,THIRD";
  support::add_session(settings, "HUB", "THIRD", directory.path("journal"));
  VirtualPeer third(network);
  third.sender = "THIRD";
  start();
  log_on(third);
  orders(3);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  EXPECT_EQ(reported(third.take_messages()), "D1 D2 D3 ");
  kill();
  open();
  log_on(desk);
  log_on(third);
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D3 ");
  EXPECT_EQ(reported(third.take_messages()), "") << "it has it";
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
};

TEST_F(ForwardingCopies, AMessageInWorkAtAnOrderlyEndIsCopiedInTheNextLife) {
  start();
  orders(3);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
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
  EXPECT_EQ(reported(venue.take_messages()), "");
  network.kill(node);
  end();
  EXPECT_FALSE(support::has_message(logged(), "P104", {"is not passed on"})) << logged();
  open();
  log_on(desk);
  pass(base::ns_per_second);
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D3 D4 D5 ");
  EXPECT_EQ(reported(desk.take_messages()), "");
}

TEST_F(ForwardingCopies, AMessageCopiedBeforeAKillAndNotNotedIsNotCopiedAgain) {
  settings.sessions.back().send_throttle_limit = 0;
  settings.sessions.back().send_throttle_action = config::SendThrottleAction::Wait;
  send_two_unnoted();
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "");
  venue.say("2", "7=1|16=0");
  pass(moment_ns);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ") << "stored, and sent again on request only";
}

TEST_F(ForwardingCopies, MessagesThatWaitedAtAKillForAnAbsentSessionAreLogged) {
  start();
  orders(3);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  kill();
  open();
  log_on(desk);
  pass(ForwardingApplication::patience_ns / 2);
  desk.say("0");
  EXPECT_FALSE(support::has_message(logged(), "P104", {"is not passed on"})) << logged();
  pass(ForwardingApplication::patience_ns / 2);
  desk.say("0");
  pass(base::ns_per_second);
  log_on(venue);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "") << "it has been logged";
  EXPECT_EQ(reported(desk.take_messages()), "") << "its sender is not concerned";
  EXPECT_TRUE(support::has_message(logged(), "P104", {"message 4 ", "VENUE: "}));
}

TEST_F(ForwardingCopies, MessagesThatTheLogHasNotPassedOnComeAgain) {
  // Opens, and takes nothing.
  const std::string file = std::exchange(settings.engine.log_file, "/dev/full");
  open();
  settings.engine.log_file = file;
  log_on(desk);
  orders(2);
  log->flush();
  ASSERT_EQ(log->waiting(), 2U) << "the lines that the two are not passed on";
  desk.say("0");
  pass(moment_ns);
  kill();
  open();
  log_on(desk);
  log_on(venue);
  pass(base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "D1 D2 ");
  venue.say("5");
  pass(moment_ns);
  order(3);
  pass(moment_ns);
  EXPECT_TRUE(support::has_message(logged(), "P104", {"message 6 ", "VENUE: "}));
  desk.say("0");
  pass(moment_ns);
  kill();
  open();
  log_on(venue);
  log_on(desk);
  pass(base::ns_per_second);
  EXPECT_EQ(reported(venue.take_messages()), "") << "the log has it";
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

class ForwardingNarrow : public Forwarding {
 protected:
  std::unique_ptr<ForwardingApplication> make_application() override {
    auto made = std::make_unique<NarrowApplication>(*log);
    narrow = made.get();
    return made;
  }

  NarrowApplication* narrow = nullptr;
};

TEST_F(ForwardingNarrow, TheQueueIsBounded) {
  start();
  order(1);
  order(2);
  order(3);
  order(4, "|58=" + std::string(64, 'x'));
  order(5);
  pass(moment_ns);
  using enum Forwarder::Outcome;
  EXPECT_EQ(narrow->outcomes, (std::vector{Sent, Sent, Waiting, Full, Waiting}));
  const std::vector<Forwarder::Origin> lost = narrow->forwarder.drop(hub->session("VENUE"));
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost.front().sequence, 4U);
  EXPECT_EQ(lost.back().sequence, 6U);
  EXPECT_EQ(lost.back().from, hub->session("DESK"));
  EXPECT_TRUE(narrow->forwarder.drop(hub->session("VENUE")).empty());
}

}  // namespace
}  // namespace affix::tools::serve
