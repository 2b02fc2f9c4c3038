// SPDX-License-Identifier: MIT
// Limits on messages in whole engines: received messages wait, are refused or end the session, sent
// ones wait or are refused, and no other session is affected.
#include "affix/testing/message_text.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "support/has_message.hpp"
#include "support/raw_peer.hpp"
#include "support/virtual_engine.hpp"

namespace affix::support {
namespace {

using testing::field_of;
using testing::VirtualNetwork;
using testing::VirtualPeer;

/// A venue with sessions FIRM, which tests limit, and OTHER, each with a hand-written peer.
class EngineThrottle : public ::testing::Test {
 protected:
  EngineThrottle() : venue_node(network.add_node()), firm(network), other(network) {
    settings = virtual_acceptor();
    add_session(settings, "VENUE", "OTHER", directory.path());
    session = &add_session(settings, "VENUE", "FIRM", directory.path());
    name(firm, "FIRM");
    name(other, "OTHER");
  }

  static void name(VirtualPeer& peer, std::string_view sender) {
    peer.sender = sender;
    peer.target = "VENUE";
  }

  void start() {
    venue = start_engine(network, venue_node, settings, application);
    ASSERT_TRUE(venue);
    for (VirtualPeer* peer : {&firm, &other}) {
      peer->connect(venue->listening_addresses().front());
      pass(base::ns_per_ms);
      peer->say("A", "98=0|108=30");
      pass(base::ns_per_ms);
      ASSERT_EQ(types(peer->take_messages()), "A");
    }
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network.run(ns)); }

  static std::string types(const std::vector<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages) {
      all += field_of(message, 35);
    }
    return all;
  }

  static void orders(VirtualPeer& peer, int count) {
    for (int number = 1; number <= count; ++number) {
      peer.say("D", "11=" + std::to_string(number) + "|55=X|54=1");
    }
  }

  [[nodiscard]] std::size_t delivered(std::string_view from) const {
    return static_cast<std::size_t>(std::count_if(
        application.messages.begin(), application.messages.end(),
        [from](const Recorder::Message& message) { return message.session == from; }));
  }

  TemporaryDirectory directory;
  VirtualNetwork network;
  testing::NodeId venue_node;
  VirtualPeer firm;
  VirtualPeer other;
  config::Configuration settings;
  config::SessionSettings* session = nullptr;
  Recorder application;
  std::unique_ptr<engine::Engine> venue;
};

TEST_F(EngineThrottle, MessagesOverTheLimitWaitUnreadAndOthersFlow) {
  session->throttle_limit = 10;
  session->throttle_window_in_milliseconds = 2'000;
  start();
  orders(firm, 35);
  orders(other, 500);
  pass(1'900 * base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 10U);
  EXPECT_EQ(delivered("OTHER"), 500U);
  pass(200 * base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 20U);
  pass(2'000 * base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 30U);
  pass(2'000 * base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 35U);
  EXPECT_TRUE(application.logouts.empty());
  EXPECT_TRUE(application.heard_code("S142"));
}

TEST_F(EngineThrottle, AnHourOfWaitingIsNoSilenceAndHeartbeatsGoOn) {
  session->throttle_limit = 1;
  session->throttle_window_in_milliseconds = 3'600'000;
  start();
  orders(firm, 2);
  pass(3'599 * base::ns_per_second);
  EXPECT_EQ(delivered("FIRM"), 1U);
  EXPECT_TRUE(venue->session("FIRM").logged_on());
  const std::string sent = types(firm.take_messages());
  EXPECT_EQ(sent, std::string(sent.size(), '0'));
  EXPECT_NEAR(static_cast<double>(sent.size()), 119, 2);
  pass(2 * base::ns_per_second);
  EXPECT_EQ(delivered("FIRM"), 2U);
  EXPECT_FALSE(venue->session("OTHER").logged_on());  // It was silent.
}

TEST_F(EngineThrottle, RejectedMessagesAreAnsweredCountedAndNotDelivered) {
  session->throttle_limit = 5;
  session->throttle_action = session::ThrottleAction::Reject;
  session->throttler_reject_message = "not so fast";
  start();
  orders(firm, 8);
  pass(base::ns_per_ms);
  const std::vector<std::string> answers = firm.take_messages();
  ASSERT_EQ(types(answers), "jjj");
  for (std::size_t at = 0; at < answers.size(); ++at) {
    EXPECT_EQ(field_of(answers[at], 58), "not so fast");
    EXPECT_EQ(field_of(answers[at], 45), std::to_string(7 + at));
    EXPECT_EQ(field_of(answers[at], 372), "D");
  }
  EXPECT_EQ(delivered("FIRM"), 5U);
  EXPECT_EQ(venue->session("FIRM").next_target_seq(), 10U);
  pass(base::ns_per_second);
  orders(firm, 1);
  pass(base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 6U);
}

TEST_F(EngineThrottle, DisconnectingSaysWhyAndTheMessageIsNotLost) {
  session->throttle_limit = 2;
  session->throttle_action = session::ThrottleAction::Disconnect;
  start();
  orders(firm, 3);
  pass(base::ns_per_ms);
  const std::vector<std::string> answers = firm.take_messages();
  ASSERT_EQ(types(answers), "5");
  EXPECT_EQ(field_of(answers[0], 58), "Message rate limit exceeded");
  pass(3 * base::ns_per_second);
  ASSERT_EQ(application.logouts.size(), 1U);
  EXPECT_EQ(application.logouts[0].second, "the peer sent more messages than allowed");
  EXPECT_EQ(venue->session("FIRM").next_target_seq(), 4U);
  EXPECT_TRUE(venue->session("OTHER").logged_on());
}

TEST_F(EngineThrottle, SendsOverTheLimitLeaveInTheirTurn) {
  session->send_throttle_limit = 4;
  session->send_throttle_window_in_milliseconds = 500;
  start();
  for (int number = 1; number <= 10; ++number) {
    ASSERT_TRUE(send_order(venue->session("FIRM"), std::to_string(number)).sent());
    ASSERT_TRUE(send_order(venue->session("OTHER"), std::to_string(number)).sent());
  }
  pass(base::ns_per_ms);
  EXPECT_EQ(types(firm.take_messages()), "DDDD");
  EXPECT_EQ(types(other.take_messages()), "DDDDDDDDDD");
  // Session messages keep their place in the sequence.
  firm.say("1", "112=now");
  pass(498 * base::ns_per_ms);
  EXPECT_EQ(types(firm.take_messages()), "");
  pass(2 * base::ns_per_ms);
  EXPECT_EQ(types(firm.take_messages()), "DDDD");
  pass(500 * base::ns_per_ms);
  EXPECT_EQ(types(firm.take_messages()), "DD0");
  // After a quiet time, the next are sent at once.
  pass(500 * base::ns_per_ms);
  ASSERT_TRUE(send_order(venue->session("FIRM"), "11").sent());
  pass(base::ns_per_ms);
  EXPECT_EQ(types(firm.take_messages()), "D");
}

TEST_F(EngineThrottle, TheQueueIsBoundedAndFreeSpaceIsReported) {
  session->send_throttle_limit = 10;
  settings.servers.front().tx_encode_buffer_capacity = 64 * 1024;
  start();
  host::SessionHandle handle = venue->session("FIRM");
  int sent = 0;
  int refused = 0;
  const auto fill = [&](host::SessionHandle to) {
    for (;;) {
      const host::SendResult result = send_order(to, std::to_string(sent), std::string(400, 't'));
      if (!result.sent()) {
        EXPECT_EQ(result.status, host::SendStatus::Throttled);
        ++refused;
        return;
      }
      ++sent;
    }
  };
  fill(handle);
  EXPECT_GT(sent, 20);
  EXPECT_LT(sent, 100);
  application.when_room = fill;
  const int at_first = sent;
  pass(10 * base::ns_per_second + 10 * base::ns_per_ms);
  EXPECT_EQ(sent - at_first, 100);
  EXPECT_GT(application.rooms, 5);
  EXPECT_EQ(firm.take_messages().size(), 110U);
  // It reads input meanwhile.
  firm.say("D", "11=in|55=X|54=1");
  pass(base::ns_per_ms);
  EXPECT_EQ(delivered("FIRM"), 1U);
}

TEST_F(EngineThrottle, ALargeMessageIsReadAlthoughTheQueueIsNeverEmpty) {
  session->send_throttle_limit = 10;
  settings.servers.front().tx_encode_buffer_capacity = 64 * 1024;
  start();
  const auto fill = [](host::SessionHandle to) {
    while (send_order(to, "out", std::string(400, 't')).sent()) {
    }
  };
  application.when_room = fill;
  fill(venue->session("FIRM"));
  constexpr std::size_t count = 30;
  for (std::size_t number = 0; number < count; ++number) {
    firm.say("D", "97=Y|11=in|55=X|54=1|58=" + std::string(30'000, 'x'));
    pass(700 * base::ns_per_ms);
  }
  pass(10 * base::ns_per_second);
  EXPECT_EQ(delivered("FIRM"), count);
  EXPECT_TRUE(application.logouts.empty());
}

TEST_F(EngineThrottle, APeerWhoseLargeMessageWaitsForRoomIsNotSilent) {
  session->send_throttle_limit = 10;
  settings.servers.front().tx_encode_buffer_capacity = 64 * 1024;
  start();
  application.when_room = [](host::SessionHandle to) {
    while (send_order(to, "out", std::string(400, 't')).sent()) {
    }
  };
  application.when_room(venue->session("FIRM"));
  // Its answer would need almost the whole outbox.
  firm.say("D", "97=Y|11=in|55=X|54=1|58=" + std::string(45'000, 'x'));
  pass(120 * base::ns_per_second);
  EXPECT_EQ(delivered("FIRM"), 0U);
  EXPECT_TRUE(venue->session("FIRM").logged_on());
  application.when_room = {};
  pass(10 * base::ns_per_second);
  EXPECT_EQ(delivered("FIRM"), 1U);
  EXPECT_TRUE(venue->session("FIRM").logged_on());
}

TEST_F(EngineThrottle, RefusedSendsTakeNoNumber) {
  session->send_throttle_limit = 3;
  session->send_throttle_action = config::SendThrottleAction::Refuse;
  start();
  host::SessionHandle handle = venue->session("FIRM");
  for (int number = 1; number <= 3; ++number) {
    ASSERT_TRUE(send_order(handle, std::to_string(number)).sent());
  }
  const std::uint64_t next = handle.next_sender_seq();
  EXPECT_EQ(send_order(handle, "4").status, host::SendStatus::Throttled);
  EXPECT_EQ(handle.next_sender_seq(), next);
  EXPECT_EQ(application.rooms, 0);
  application.when_room = [&](host::SessionHandle to) { EXPECT_TRUE(send_order(to, "5").sent()); };
  pass(999 * base::ns_per_ms);
  EXPECT_EQ(application.rooms, 0);
  pass(2 * base::ns_per_ms);
  EXPECT_EQ(application.rooms, 1);
  EXPECT_EQ(types(firm.take_messages()), "DDDD");
}

TEST_F(EngineThrottle, MessagesThatWaitWhenTheSessionEndsAreFetchedByThePeer) {
  session->send_throttle_limit = 1;
  session->logout_timeout_seconds = 1;
  session->send_throttle_window_in_milliseconds = 3'000;
  start();
  for (int number = 1; number <= 3; ++number) {
    ASSERT_TRUE(send_order(venue->session("FIRM"), std::to_string(number)).sent());
  }
  venue->session("FIRM").logout("good night");
  pass(10 * base::ns_per_second);
  EXPECT_EQ(types(firm.take_messages()), "D");  // No burst at the end.
  ASSERT_EQ(application.logouts.size(), 1U);
  firm.connect(venue->listening_addresses().front());
  pass(base::ns_per_ms);
  firm.say("A", "98=0|108=30");
  pass(base::ns_per_ms);
  ASSERT_EQ(types(firm.take_messages()), "A");
  firm.say("2", "7=3|16=0");
  pass(base::ns_per_ms);
  const std::vector<std::string> again = firm.take_messages();
  ASSERT_EQ(types(again), "DD4");
  EXPECT_EQ(field_of(again[0], 11), "2");
  EXPECT_EQ(field_of(again[1], 11), "3");
}

TEST(EngineClientThrottle, InAClientsSessionTheLimitIsOnSends) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    if (!configuration.clients.empty()) {
      configuration.sessions.front().throttle_limit = 5;
      configuration.sessions.front().throttle_window_in_milliseconds = 400;
    }
  });
  ASSERT_TRUE(pair.log_on());
  // Received messages have no limit.
  for (int number = 0; number < 50; ++number) {
    ASSERT_TRUE(send_order(pair.venue(), std::to_string(number)).sent());
  }
  const std::int64_t begin_ns = os::now().steady_ns;
  for (int number = 0; number < 12; ++number) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(number)).sent());
  }
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 12; }));
  EXPECT_GE(os::now().steady_ns - begin_ns, 800 * base::ns_per_ms);
  EXPECT_EQ(pair.firm_application.messages.size(), 50U);
}

TEST(EngineClientThrottle, TwoLimitsOnSendsContradictEachOther) {
  TemporaryDirectory directory;
  config::Configuration configuration = initiator_configuration(1);
  config::SessionSettings& session = add_session(configuration, "FIRM", "VENUE", directory.path());
  session.throttle_limit = 5;
  session.send_throttle_limit = 6;
  Recorder application;
  const auto opened = engine::Engine::open(configuration, application);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has_message(config::text_of(opened.error()), "C238",
                          {"send_throttle_limit", "throttle_direction=RECEIVED"}));
  session.throttle_direction = config::ThrottleDirection::Received;
  EXPECT_TRUE(engine::Engine::open(configuration, application));
}

/// Over TCP: one session's input waits in the kernel, and another's overtakes it.
TEST(EngineThrottleOverTcp, AnotherSessionsMessagesFlow) {
  TemporaryDirectory directory;
  Recorder application;
  config::Configuration configuration = acceptor_configuration();
  config::SessionSettings& limited = add_session(configuration, "VENUE", "FAST", directory.path());
  limited.throttle_limit = 20;
  limited.throttle_window_in_milliseconds = 60'000;
  add_session(configuration, "VENUE", "CALM", directory.path());
  const auto venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  RawPeer fast({venue.get()}, "FAST", "VENUE");
  fast.connect(port_of(*venue));
  fast.log_on();
  RawPeer calm({venue.get()}, "CALM", "VENUE");
  calm.connect(port_of(*venue));
  calm.log_on();
  const auto delivered = [&](std::string_view from) {
    return std::count_if(application.messages.begin(), application.messages.end(),
                         [&](const Recorder::Message& one) { return one.session == from; });
  };
  for (int number = 0; number < 200; ++number) {
    fast.send("D", "11=" + std::to_string(number) + "|55=X|54=1|");
  }
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return delivered("FAST") == 20; }));
  for (int number = 0; number < 200; ++number) {
    calm.send("D", "11=" + std::to_string(number) + "|55=X|54=1|");
  }
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return delivered("CALM") == 200; }));
  calm.send("1", "112=quick|");
  EXPECT_EQ(calm.expect("0")[112], "quick");
  EXPECT_EQ(delivered("FAST"), 20);
  EXPECT_TRUE(venue->session("FAST").logged_on());
}

}  // namespace
}  // namespace affix::support
