// SPDX-License-Identifier: MIT
// The application's commands in every state: logout and connect, reset, TestRequest, business
// reject, finish; none of them calls back.
#include "support/raw_peer.hpp"

#include <thread>

namespace affix::support {
namespace {

TEST(EngineCommands, AnInitiatorThatLoggedOutConnectsOnCommand) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  pair.firm().logout("for today");
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().disconnected(); }));
  turn_for(pair.engines(), 200 * base::ns_per_ms);
  EXPECT_TRUE(pair.firm().disconnected());
  EXPECT_EQ(pair.firm_application.logons.size(), 1U);
  pair.firm().connect();
  EXPECT_FALSE(pair.firm().disconnected());
  ASSERT_TRUE(pair.log_on());
  EXPECT_EQ(pair.firm().next_sender_seq(), 4U);  // Logon, Logout, Logon.
}

TEST(EngineCommands, ConnectDuringALogoutCountsAfterwards) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  pair.firm().logout({});
  pair.firm().connect();
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.logons.size() == 2; }));
}

TEST(EngineCommands, ConnectInsideOnLogoutConnects) {
  Pair pair;
  pair.firm_application.when_logout = [](host::SessionHandle session) { session.connect(); };
  ASSERT_TRUE(pair.log_on());
  pair.firm().logout({});
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.logons.size() == 2; }));
}

TEST(EngineCommands, LogoutEndsAnAttemptToConnectAndAHalfLogon) {
  TemporaryDirectory directory;
  const net::Listener listener = open_listener();
  config::Configuration configuration = initiator_configuration(listener.local_address().port());
  add_session(configuration, "FIRM", "VENUE", directory.path());
  Recorder application;
  const auto firm = open_engine(configuration, application);
  ASSERT_TRUE(firm);
  RawPeer venue({firm.get()}, "VENUE", "FIRM");
  venue.accept(listener);
  venue.expect("A");
  // The Logon is sent and not answered.
  firm->sessions().front().logout({});
  EXPECT_TRUE(venue.closed());
  venue.close();
  ASSERT_TRUE(turn_until({firm.get()}, [&] { return firm->sessions().front().disconnected(); }));
  EXPECT_TRUE(application.logouts.empty());  // It was never logged on.
}

TEST(EngineCommands, ResetStartsBothSidesOver) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(send_order(pair.firm(), "1").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
  pair.firm().reset();
  EXPECT_FALSE(pair.firm().logged_on());
  ASSERT_TRUE(pair.log_on());
  EXPECT_EQ(pair.firm().next_sender_seq(), 2U);
  EXPECT_EQ(pair.firm().next_target_seq(), 2U);
  EXPECT_EQ(pair.venue().next_sender_seq(), 2U);
  ASSERT_TRUE(send_order(pair.firm(), "2").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 2; }));
  EXPECT_EQ(pair.venue_application.messages[1].delivery.sequence, 2U);
}

TEST(EngineCommands, NoCommandCallsBackAndAllOfThemWork) {
  Pair pair;
  bool inside_command = false;
  bool called_back = false;
  pair.firm_application.when_event = [&](const host::Event&) {
    called_back = called_back || inside_command;
  };
  pair.firm_application.when_logout = [&](host::SessionHandle) {
    called_back = called_back || inside_command;
  };
  ASSERT_TRUE(pair.log_on());
  inside_command = true;
  for (int many = 0; many < 200; ++many) {
    pair.firm().test_peer();  // More reports than are stored; all messages are sent.
  }
  inside_command = false;
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().next_target_seq() == 202; }));
  inside_command = true;
  pair.firm().reset();
  pair.firm().logout("end");
  inside_command = false;
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().disconnected(); }));
  EXPECT_FALSE(called_back);
  EXPECT_FALSE(pair.firm_application.nested);
}

TEST(EngineCommands, CommandsToAnotherSessionInsideACallbackAreNotNested) {
  TemporaryDirectory directory;
  config::Configuration venue_settings = acceptor_configuration();
  add_session(venue_settings, "VENUE", "A", directory.path("venue"));
  add_session(venue_settings, "VENUE", "B", directory.path("venue"));
  Recorder venue_application;
  const auto venue = open_engine(venue_settings, venue_application);
  config::Configuration firm_settings = initiator_configuration(port_of(*venue));
  add_session(firm_settings, "A", "VENUE", directory.path("firm")).name = "A";
  add_session(firm_settings, "B", "VENUE", directory.path("firm")).name = "B";
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  const Engines engines{venue.get(), firm.get()};
  ASSERT_TRUE(turn_until(
      engines, [&] { return venue->session("A").logged_on() && venue->session("B").logged_on(); }));
  venue_application.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                       const host::Delivery&) {
    if (session.name() == "A") {
      venue->session("B").test_peer();
      venue->session("B").reset();
      venue->session("B").logout("because of A");
      EXPECT_TRUE(send_order(session, "answer").sent());
    }
  };
  ASSERT_TRUE(send_order(firm->session("A"), "1").sent());
  ASSERT_TRUE(turn_until(engines, [&] { return !firm_application.logouts.empty(); }));
  EXPECT_EQ(firm_application.logouts[0].first, "B");
  EXPECT_FALSE(venue_application.nested);
  EXPECT_EQ(firm_application.ids(), std::vector<std::string>{"answer"});
}

TEST(EngineCommands, ABusinessRejectNamesTheMessage) {
  Pair pair;
  pair.venue_application.when_message = [](host::SessionHandle session,
                                           const wire::MessageView& message,
                                           const host::Delivery&) {
    EXPECT_TRUE(session
                    .reject_business(message, session::BusinessRejectReason::UnsupportedMessageType,
                                     "not here", "ref")
                    .sent());
  };
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(send_order(pair.firm(), "1").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 1; }));
  EXPECT_EQ(pair.firm_application.messages[0].type, "j");
  const RawMessage reject(pair.firm_application.messages[0].bytes);
  EXPECT_EQ(reject[380], "3");
  EXPECT_EQ(reject[45], "2");
  EXPECT_EQ(reject[379], "ref");
}

TEST(EngineCommands, ARejectNamesTheFieldOfTheMessage) {
  Pair pair;
  pair.venue_application.when_message =
      [](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        EXPECT_TRUE(
            session.reject(message, session::RejectReason::ValueIncorrect, 11, "not here").sent());
      };
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(send_order(pair.firm(), "1").sent());
  ASSERT_TRUE(pair.turn_until(
      [&] { return pair.firm_application.admin_types.find('3') != std::string::npos; }));
}

TEST(EngineCommands, TwoSidesThatRefuseEveryTypeEndWithOneReject) {
  for (const char* const begin_string : {"FIX.4.0", "FIX.4.4", "FIXT.1.1"}) {
    SCOPED_TRACE(begin_string);
    Pair pair(begin_string, [](config::Configuration&) {});
    std::vector<host::SendResult> refusals;
    const auto refuse_everything = [&](host::SessionHandle session,
                                       const wire::MessageView& message) {
      refusals.push_back(session.reject_business(
          message, session::BusinessRejectReason::UnsupportedMessageType, "not here"));
    };
    for (Recorder* const side : {&pair.venue_application, &pair.firm_application}) {
      side->when_message = [&](host::SessionHandle session, const wire::MessageView& message,
                               const host::Delivery&) { refuse_everything(session, message); };
      side->when_admin = [&](host::SessionHandle session, const wire::MessageView& message) {
        if (message.type() == "3") {
          refuse_everything(session, message);
        }
      };
    }
    ASSERT_TRUE(pair.log_on());
    ASSERT_TRUE(send_order(pair.firm(), "1").sent());
    ASSERT_TRUE(pair.turn_until([&] { return refusals.size() >= 2; }));
    // A Heartbeat and its answer follow anything that was in transit.
    pair.firm().test_peer();
    ASSERT_TRUE(pair.turn_until(
        [&] { return pair.firm_application.admin_types.find('0') != std::string::npos; }));
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_TRUE(refusals[0].sent());
    EXPECT_EQ(refusals[1].status, host::SendStatus::RejectOfReject);
    EXPECT_TRUE(refusals[1].refused());
  }
}

TEST(EngineCommands, ASendSaysWhyItWasRefused) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    for (config::ServerSettings& server : configuration.servers) {
      server.tx_encode_buffer_capacity = 64 * 1024;
    }
    for (config::ClientSettings& client : configuration.clients) {
      client.tx_encode_buffer_capacity = 64 * 1024;
    }
  });
  EXPECT_EQ(send_order(pair.firm(), "1").status, host::SendStatus::NotLoggedOn);
  ASSERT_TRUE(pair.log_on());
  const std::uint64_t next = pair.firm().next_sender_seq();
  wire::Encoder admin = pair.firm().begin("0");
  EXPECT_EQ(pair.firm().commit(admin).status, host::SendStatus::TypeRefused);
  wire::Encoder faulty = pair.firm().begin("D");
  faulty.text(11, "with\x01soh");
  const host::SendResult invalid = pair.firm().commit(faulty);
  EXPECT_EQ(invalid.status, host::SendStatus::Invalid);
  EXPECT_EQ(invalid.encode_error, wire::EncodeError::SohInValue);
  EXPECT_EQ(send_order(pair.firm(), "big", std::string(70'000, 'x')).status,
            host::SendStatus::TooLarge);
  wire::Encoder twice = pair.firm().begin("D");
  twice.text(11, "1");
  EXPECT_TRUE(pair.firm().commit(twice).sent());
  EXPECT_FALSE(pair.firm().commit(twice).sent());
  static_cast<void>(pair.firm().begin("D"));  // Never committed: no effect.
  EXPECT_EQ(pair.firm().next_sender_seq(), next + 1);
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
}

TEST(EngineCommands, FinishLogsEverybodyOutAndConnectsNoMore) {
  Pair pair;
  pair.firm_application.when_logout = [](host::SessionHandle session) { session.connect(); };
  ASSERT_TRUE(pair.log_on());
  std::thread venue([&] { pair.acceptor->run(); });
  EXPECT_TRUE(pair.initiator->finish("closing", os::now().steady_ns + patience_ns));
  EXPECT_TRUE(pair.firm().disconnected());
  pair.firm().connect();
  EXPECT_TRUE(pair.firm().disconnected());
  pair.acceptor->request_stop();
  venue.join();
  ASSERT_EQ(pair.venue_application.logouts.size(), 1U);
  EXPECT_EQ(pair.firm_application.logons.size(), 1U);
}

TEST(EngineCommands, FinishGivesUpAtItsDeadline) {
  TemporaryDirectory directory;
  config::Configuration configuration = acceptor_configuration();
  add_session(configuration, "VENUE", "FIRM", directory.path());
  Recorder application;
  const auto venue = open_engine(configuration, application);
  RawPeer firm({venue.get()}, "FIRM", "VENUE");
  firm.connect(port_of(*venue));
  firm.log_on();
  // It never answers our Logout.
  EXPECT_FALSE(venue->finish("end", os::now().steady_ns + 50 * base::ns_per_ms));
  EXPECT_EQ(firm.expect("5")[58], "end");
  // A second connection finds no listener.
  const net::Socket late(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const net::Address address = venue->listening_addresses().front();
  EXPECT_NE(::connect(late.fd(), address.native(), static_cast<socklen_t>(address.native_size())),
            0);
}

}  // namespace
}  // namespace affix::support
