// SPDX-License-Identifier: MIT
// Messages sent while the session is down: refused, or queued with their numbers and requested by
// the peer after the logon, also across crashes, and never more than the limit.
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineQueue : public VenueCase {
 protected:
  void SetUp() override { open_queue(); }

  void open_queue(std::int64_t most = 100) {
    open([&](config::SessionSettings& settings) {
      settings.send_while_disconnected = session::SendWhileDown::Queue;
      settings.send_queue_max = most;
    });
  }

  /// A peer that logs on, requests nothing, and disconnects.
  void connect_and_leave(std::string_view logon_fields = {}) {
    RawPeer& firm = connect();
    firm.next_sequence = session().next_target_seq();
    if (logon_fields.find("141=Y") != std::string_view::npos) {
      firm.next_sequence = 1;
    }
    firm.log_on(logon_fields);
    firm.close();
    ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  }

  /// The number of lost messages in each event about them.
  [[nodiscard]] std::vector<std::string> losses() const {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < application_.events.size(); ++at) {
      if (application_.event_codes[at] == base::MessageCode("S113")) {
        const std::string& event = application_.events[at];
        found.push_back(event.substr(event.rfind(' ') + 1));
      }
    }
    return found;
  }

  /// Nothing more reaches the journal, like after SIGKILL.
  void kill() {
    venue_->abandon();
    venue_.reset();
  }
};

TEST_F(EngineQueue, TheyAreNumberedStoredAndFetchedAfterTheLogon) {
  for (const char* id : {"1", "2"}) {
    const host::SendResult result = send_order(session(), id);
    EXPECT_TRUE(result.queued());
    EXPECT_FALSE(result.refused());
    EXPECT_EQ(std::to_string(result.sequence), id);
  }
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on().number(), 3U);
  ASSERT_TRUE(send_order(session(), "live").sent());
  EXPECT_EQ(firm.expect("D").number(), 4U);
  firm.send("2", "7=1|16=2|");
  for (const char* id : {"1", "2"}) {
    const RawMessage order = firm.expect("D");
    EXPECT_EQ(order[11], id);
    EXPECT_EQ(order[43], "Y");
    EXPECT_GE(order[52], order[122]);
  }
}

TEST_F(EngineQueue, ACrashLosesNoneOfThem) {
  for (int order = 1; order <= 50; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order)).queued());
  }
  kill();
  start();
  EXPECT_EQ(session().next_sender_seq(), 51U);
  ASSERT_TRUE(send_order(session(), "51").queued());
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on().number(), 52U);
  firm.send("2", "7=1|16=0|");
  for (int order = 1; order <= 51; ++order) {
    EXPECT_EQ(firm.expect("D")[11], std::to_string(order));
  }
}

TEST_F(EngineQueue, ALossByAResetAfterARestartIsReported) {
  for (const bool killed : {true, false}) {
    SCOPED_TRACE(killed ? "killed" : "closed");
    ASSERT_TRUE(send_order(session(), "1").queued());
    ASSERT_TRUE(send_order(session(), "2").queued());
    if (killed) {
      kill();
    }
    start();
    RawPeer& firm = connect();
    EXPECT_EQ(firm.log_on("141=Y|").number(), 1U);
    EXPECT_EQ(losses(), std::vector<std::string>{"2"});
    application_.events.clear();
    firm.close();
    ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  }
}

TEST_F(EngineQueue, ALossByAResetAfterALogonThatFetchedNothingIsReported) {
  ASSERT_TRUE(send_order(session(), "1").queued());
  connect_and_leave();
  kill();
  start();
  connect_and_leave("141=Y|");
  EXPECT_EQ(losses(), std::vector<std::string>{"1"});
}

TEST_F(EngineQueue, FetchedMessagesAreNotLostByAReset) {
  ASSERT_TRUE(send_order(session(), "1").queued());
  ASSERT_TRUE(send_order(session(), "2").queued());
  RawPeer& firm = connect();
  firm.log_on();
  firm.send("2", "7=1|16=2|");
  firm.expect("D");
  firm.expect("D");
  kill();
  start();
  connect_and_leave("141=Y|");
  EXPECT_EQ(losses(), std::vector<std::string>{});
}

TEST_F(EngineQueue, MessagesBelowThePeersExpectedNumberAreNotLostByAReset) {
  ASSERT_TRUE(send_order(session(), "1").queued());
  connect_and_leave("789=2|");
  kill();
  start();
  connect_and_leave("141=Y|");
  EXPECT_EQ(losses(), std::vector<std::string>{});
}

TEST_F(EngineQueue, TheLimitIsReportedAndEndsWithTheLogon) {
  open_queue(2);
  ASSERT_TRUE(send_order(session(), "1").queued());
  ASSERT_TRUE(send_order(session(), "2").queued());
  const host::SendResult full = send_order(session(), "3");
  EXPECT_EQ(full.status, host::SendStatus::QueueFull);
  EXPECT_TRUE(full.refused());
  RawPeer& firm = connect();
  firm.log_on();
  ASSERT_TRUE(send_order(session(), "3").sent());
  firm.close();
  ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  EXPECT_TRUE(send_order(session(), "4").queued());
}

TEST_F(EngineQueue, FaultyMessagesAreRefusedAsEver) {
  wire::Encoder empty = session().begin("D");
  empty.text(11, "");
  EXPECT_EQ(session().commit(empty).status, host::SendStatus::Invalid);
  wire::Encoder admin = session().begin("0");
  EXPECT_EQ(session().commit(admin).status, host::SendStatus::TypeRefused);
  EXPECT_EQ(session().next_sender_seq(), 1U);
}

TEST_F(EngineQueue, InsideCallbacksTooAndNothingLeavesBeforeItsTime) {
  application_.when_logon_request = [](host::SessionHandle session, const wire::MessageView&) {
    EXPECT_TRUE(send_order(session, "request").queued());
    return host::LogonAnswer::accept();
  };
  application_.when_logout = [](host::SessionHandle session) {
    EXPECT_TRUE(send_order(session, "logout").queued());
  };
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on().number(), 2U);
  firm.close();
  ASSERT_TRUE(turn_until([&] { return application_.logouts.size() == 1; }));
  EXPECT_EQ(session().next_sender_seq(), 4U);
}

TEST_F(EngineQueue, OptionsThatWouldLoseThemRefuseTheStart) {
  const auto refused = [&](const std::function<void(config::SessionSettings&)>& adjust) {
    config::Configuration configuration = configuration_;
    configuration.sessions.front().journal_path = directory_.path("other");
    adjust(configuration.sessions.front());
    return !engine::Engine::open(configuration, application_).has_value();
  };
  EXPECT_FALSE(refused([](config::SessionSettings&) {}));
  EXPECT_TRUE(
      refused([](config::SessionSettings& one) { one.durability = journal::Durability::Memory; }));
  EXPECT_TRUE(refused([](config::SessionSettings& one) { one.max_serialised_file_size = 0; }));
  EXPECT_TRUE(
      refused([](config::SessionSettings& one) { one.logon_reset_sequence_numbers = true; }));
  EXPECT_TRUE(refused([](config::SessionSettings& one) { one.reset_on_disconnect = true; }));
  EXPECT_TRUE(refused([](config::SessionSettings& one) { one.daily_reset_utc = "17:00"; }));
  EXPECT_FALSE(refused([](config::SessionSettings& one) {
    one.daily_reset_utc = "17:00";
    one.reset_start = session::ResetStart::InSync;
  }));
  EXPECT_TRUE(refused([](config::SessionSettings& one) {
    one.replay_messages_on_incoming_resend_request = false;
  }));
}

TEST(EngineQueueBetweenEngines, AnInitiatorsOrdersArriveInOrderWhenItConnects) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.sessions.front().send_while_disconnected = session::SendWhileDown::Queue;
  });
  pair.firm_application.when_logon = [](host::SessionHandle session) {
    EXPECT_TRUE(send_order(session, "3").sent());
  };
  ASSERT_TRUE(send_order(pair.firm(), "1").queued());
  ASSERT_TRUE(send_order(pair.firm(), "2").queued());
  ASSERT_TRUE(send_order(pair.venue(), "fill").queued());
  ASSERT_TRUE(pair.turn_until([&] {
    return pair.venue_application.messages.size() == 3 &&
           pair.firm_application.messages.size() == 1;
  }));
  EXPECT_EQ(pair.venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(pair.firm_application.ids(), std::vector<std::string>{"fill"});
}

}  // namespace
}  // namespace affix::support
