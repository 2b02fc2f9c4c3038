// SPDX-License-Identifier: MIT
// Session messages passed to the application, fields that it adds to sent messages, and its veto on
// resends.
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineHooks : public VenueCase {
 protected:
  void SetUp() override { open(); }
};

TEST_F(EngineHooks, SessionMessagesAreShownAfterTheirEffect) {
  RawPeer& firm = connect();
  std::string texts;
  application_.when_admin = [&](host::SessionHandle session, const wire::MessageView& message) {
    texts += message.find(58U).value_or("");
    // It is counted already.
    EXPECT_GT(session.next_target_seq(), message.integer<std::uint64_t>(34).value_or(0));
  };
  firm.log_on();
  firm.send("0");
  firm.send("1", "112=x|");
  firm.expect("0");
  firm.send("3", "45=1|58=not liked|");
  firm.send("2", "7=1|16=1|");
  firm.expect("4");
  firm.send("4", "123=Y|36=9|");
  firm.next_sequence = 9;
  firm.send("3", "58=no 45|");  // The session accepts it.
  firm.send("5");
  firm.expect("5");
  ASSERT_TRUE(turn_until([&] { return application_.admin_types.ends_with("5"); }));
  EXPECT_EQ(application_.admin_types, "0132435");
  EXPECT_EQ(texts, "not likedno 45");
  EXPECT_TRUE(application_.messages.empty());
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineHooks, FieldsAreAddedToSessionMessages) {
  application_.when_sending_admin = [](host::SessionHandle session, std::string_view type,
                                       wire::Encoder& message) {
    EXPECT_EQ(session.name(), "FIRM");
    if (type == "A" || type == "5") {
      message.text(9001, type == "A" ? "welcome" : "bye");
    }
  };
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on()[9001], "welcome");
  session().logout({});
  EXPECT_EQ(firm.expect("5")[9001], "bye");
}

TEST_F(EngineHooks, FieldsThatCannotBeAddedAreLeftOutAndReported) {
  application_.when_sending_admin = [](host::SessionHandle, std::string_view,
                                       wire::Encoder& message) {
    message.text(9001, std::string(2'000, 'x'));
  };
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on()[9001], "");
  EXPECT_TRUE(application_.heard_code("S145", ": A")) << application_.all_events();
}

TEST_F(EngineHooks, AMessageBegunInsideTheQuestionIsRefused) {
  int refused = 0;
  application_.when_sending_admin = [&](host::SessionHandle session, std::string_view,
                                        wire::Encoder& message) {
    message.text(9001, "kept");
    refused += send_order(session, "nested").refused() ? 1 : 0;
  };
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on()[9001], "kept");
  firm.send("1", "112=x|");
  EXPECT_EQ(firm.expect("0")[9001], "kept");
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(session().next_sender_seq(), 3U);
}

TEST_F(EngineHooks, HeaderFieldsAreAddedToEveryApplicationMessage) {
  std::string types;
  application_.when_sending = [&](host::SessionHandle, std::string_view type,
                                  wire::Encoder& message) {
    types += type;
    message.text(115, "DESK");
  };
  RawPeer& firm = connect();
  EXPECT_EQ(send_order(session(), "early").status, host::SendStatus::NotLoggedOn);
  EXPECT_EQ(types, "");
  firm.log_on();
  const std::uint64_t turns = static_cast<std::uint64_t>(application_.turn_ends);
  ASSERT_TRUE(send_order(session(), "1").sent());
  const RawMessage order = firm.expect("D");
  EXPECT_EQ(order[115], "DESK");
  EXPECT_LT(order.bytes().find("\x01"
                               "115="),
            order.bytes().find("\x01"
                               "11="));
  EXPECT_EQ(types, "D");
  EXPECT_EQ(static_cast<std::uint64_t>(application_.turn_ends), turns);  // A query is no event.
}

TEST_F(EngineHooks, TheApplicationMayKeepAMessageFromGoingOutAgain) {
  application_.when_resending = [](host::SessionHandle, const wire::MessageView& stored) {
    EXPECT_EQ(stored.find(35U), "D");
    EXPECT_FALSE(stored.has(43U));
    return stored.find(11U) == "stale" ? host::ResendDecision::GapFill
                                       : host::ResendDecision::Resend;
  };
  RawPeer& firm = connect();
  firm.log_on();
  for (const char* id : {"a", "stale", "b"}) {
    ASSERT_TRUE(send_order(session(), id).sent());
    firm.expect("D");
  }
  firm.send("2", "7=1|16=0|");
  EXPECT_EQ(firm.expect("4")[36], "2");
  EXPECT_EQ(firm.expect("D")[11], "a");
  const RawMessage fill = firm.expect("4");
  EXPECT_EQ(fill.number(), 3U);
  EXPECT_EQ(fill[36], "4");
  EXPECT_EQ(firm.expect("D")[11], "b");
}

TEST_F(EngineHooks, ResendPolicyKeepsOldOrdersFromBeingExecuted) {
  configuration_.sessions.front().resend_policy = "D:YOUNGER_THAN_1h,8:GAP_FILL";
  start();
  RawPeer& firm = connect();
  firm.log_on();
  ASSERT_TRUE(send_order(session(), "young").sent());
  wire::Encoder report = session().begin("8");
  report.text(37, "1");
  ASSERT_TRUE(session().commit(report).sent());
  firm.expect("D");
  firm.expect("8");
  firm.send("2", "7=2|16=0|");
  EXPECT_EQ(firm.expect("D")[11], "young");
  EXPECT_EQ(firm.expect("4")[36], "4");
}

TEST_F(EngineHooks, EachSessionKeepsAPointerOfTheApplications) {
  int own = 0;
  EXPECT_EQ(session().user(), nullptr);
  session().set_user(&own);
  RawPeer& firm = connect();
  application_.when_logon = [&](host::SessionHandle session) { EXPECT_EQ(session.user(), &own); };
  firm.log_on();
  ASSERT_TRUE(turn_until([&] { return session().logged_on(); }));
}

}  // namespace
}  // namespace affix::support
