// SPDX-License-Identifier: MIT
// Scenario 16: messages that the application sends while the session is not active.
#include "session_case.hpp"

namespace affix::session_test {
namespace {

SessionOptions queueing(Role role, std::string_view version = "FIX.4.4") {
  SessionOptions options = make_options(role, version);
  options.send_while_down = session::SendWhileDown::Queue;
  options.time_precision = wire::TimePrecision::Millis;
  EXPECT_EQ(session::option_fault(options), session::OptionFault::None);
  return options;
}

/// In both roles and every version.
template <typename Check>
void each_queue(Check check) {
  for (const Role role : {Role::Acceptor, Role::Initiator}) {
    for (const std::string_view version : versions) {
      SCOPED_TRACE(std::string(role == Role::Acceptor ? "acceptor " : "initiator ") +
                   std::string(version));
      Case one(queueing(role, version));
      check(one);
    }
  }
}

TEST(Queue16, MessagesOfADisconnectedSessionAreNumberedStoredAndFetched) {
  each_queue([](Case& one) {
    EXPECT_EQ(one.endpoint.send("D", "11=1").value_or(0), 1u);
    EXPECT_EQ(one.endpoint.send("D", "11=2").value_or(0), 2u);
    EXPECT_EQ(one.endpoint.stored.size(), 2u);
    EXPECT_TRUE(one.endpoint.out().bytes().empty());
    const std::string written = one.ago(0).substr(0, 17);
    one.clock.advance(60 * ns_per_second);
    const Messages sent = one.log_on();
    // Only the Logon is sent by itself; its number shows the gap.
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "3");
    const Messages fetched = one.peer.say("2", "7=1|16=2");
    ASSERT_EQ(types_of(fetched), "D D");
    EXPECT_EQ(field_of(fetched[0], 11), "1");
    EXPECT_EQ(field_of(fetched[0], 43), "Y");
    EXPECT_EQ(field_of(fetched[0], 122).substr(0, 17), written);
    EXPECT_EQ(field_of(fetched[0], 52).substr(0, 17), one.ago(0).substr(0, 17));
    EXPECT_EQ(one.endpoint.send("D", "11=3").value_or(0), 4u);
  });
}

TEST(Queue16, OneThatIsLargerThanThePeerAcceptsIsGapFilled) {
  Case one(queueing(Role::Acceptor));
  EXPECT_EQ(one.endpoint.send("D", "11=1").value_or(0), 1u);
  EXPECT_EQ(one.endpoint.send("D", "11=2|58=" + std::string(300, 'x')).value_or(0), 2u);
  EXPECT_EQ(one.endpoint.send("D", "11=3").value_or(0), 3u);
  one.log_on("383=300");
  const Messages fetched = one.peer.say("2", "7=1|16=3");
  ASSERT_EQ(types_of(fetched), "D 4 D");
  EXPECT_EQ(field_of(fetched[0], 11), "1");
  EXPECT_EQ(field_of(fetched[1], 36), "3");
  EXPECT_EQ(field_of(fetched[2], 11), "3");
  EXPECT_TRUE(one.endpoint.reported(Event::ResentTooLarge));
}

TEST(Queue16, RefusedByDefault) {
  Case one(Role::Acceptor, "FIX.4.4");
  const session::SendResult result = one.endpoint.send("D", "11=1");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), session::SendError::NotLoggedOn);
  EXPECT_TRUE(one.endpoint.stored.empty());
}

TEST(Queue16, AfterOurLogonTheyGoOutWhenItIsAnswered) {
  Case one(queueing(Role::Initiator));
  ASSERT_EQ(types_of(one.connect()), "A");
  EXPECT_EQ(one.endpoint.send("D", "11=1").value_or(0), 2u);
  EXPECT_EQ(one.endpoint.send("D", "11=2").value_or(0), 3u);
  EXPECT_TRUE(one.peer.listen().empty());
  const Messages sent = one.peer.say("A", one.logon_fields());
  ASSERT_EQ(types_of(sent), "D D");
  EXPECT_EQ(field_of(sent[0], 34), "2");
  EXPECT_EQ(field_of(sent[1], 34), "3");
  EXPECT_EQ(field_of(sent[0], 43), "Y");
  EXPECT_EQ(one.endpoint.send("D", "11=3").value_or(0), 4u);
  EXPECT_EQ(types_of(one.peer.listen()), "D");
}

TEST(Queue16, TheirNextExpectedBringsThemOnce) {
  Case one(queueing(Role::Initiator));
  one.connect();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("789=2"))), "D");
  Case behind(queueing(Role::Initiator));
  ASSERT_TRUE(behind.endpoint.send("D", "11=1"));
  behind.connect();
  ASSERT_TRUE(behind.endpoint.send("D", "11=2"));
  EXPECT_EQ(types_of(behind.peer.say("A", behind.logon_fields("789=1"))), "D 4 D");
}

TEST(Queue16, EveryPhaseThatIsNotActiveQueues) {
  Case one(queueing(Role::Acceptor));
  one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Later;
  one.connect();
  EXPECT_TRUE(one.endpoint.send("D", "11=1"));  // Logon awaited.
  one.peer.say("A", one.logon_fields());
  EXPECT_TRUE(one.endpoint.send("D", "11=2"));  // Logon pending.
  one.endpoint.accept_logon();
  const Messages answer = one.peer.listen();
  ASSERT_EQ(types_of(answer), "A");
  EXPECT_EQ(field_of(answer[0], 34), "3");
  one.endpoint.logout();
  EXPECT_EQ(one.endpoint.send("D", "11=3").value_or(0), 5u);  // Logout sent.
  EXPECT_EQ(types_of(one.peer.listen()), "5");
  one.peer.say("5");
  EXPECT_EQ(one.endpoint.send("D", "11=4").value_or(0), 6u);  // Closing.
  one.endpoint.disconnect();
  EXPECT_EQ(one.endpoint.send("D", "11=5").value_or(0), 7u);
}

TEST(Queue16, IsBoundedUntilTheSessionIsActive) {
  SessionOptions options = queueing(Role::Acceptor);
  options.queued_max = 2;
  Case one(options);
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  one.connect();
  one.endpoint.disconnect();
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  const session::SendResult full = one.endpoint.send("D", "11=3");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), session::SendError::QueueFull);
  EXPECT_EQ(one.endpoint.state().next_outgoing, 3u);
  one.log_on();
  one.endpoint.disconnect();
  EXPECT_TRUE(one.endpoint.send("D", "11=4"));
}

TEST(Queue16, SessionMessagesAndFaultyOnesAreNotQueued) {
  Case one(queueing(Role::Acceptor));
  EXPECT_EQ(one.endpoint.send("0", "").error(), session::SendError::BadType);
  session::Session& session = one.endpoint.session();
  wire::Encoder order = session.begin("D", one.clock.now(), one.endpoint.out());
  order.text(11, "");
  const session::SendResult empty = session.commit(order, one.clock.now(), one.endpoint.out());
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error(), session::SendError::Encoding);
  EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
}

TEST(Queue16, LossByAResetIsReported) {
  Case one(queueing(Role::Acceptor));
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  one.log_on("141=Y|");
  ASSERT_EQ(one.endpoint.report_count(Event::QueuedLost), 1u);
  const auto lost =
      std::find_if(one.endpoint.reports.begin(), one.endpoint.reports.end(),
                   [](const auto& report) { return report.event == Event::QueuedLost; });
  EXPECT_EQ(lost->first, 2u);
}

/// Numbers of the QueuedLost reports, in order.
std::vector<std::uint64_t> losses(const Case& one) {
  std::vector<std::uint64_t> counts;
  for (const auto& report : one.endpoint.reports) {
    if (report.event == Event::QueuedLost) {
      counts.push_back(report.first);
    }
  }
  return counts;
}

using Losses = std::vector<std::uint64_t>;

TEST(Queue16, LossByAResetAfterARestartIsReported) {
  Case one(queueing(Role::Acceptor));
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  one.endpoint.restart();
  one.log_on("141=Y|");
  EXPECT_EQ(losses(one), Losses{2});
}

TEST(Queue16, LossByAResetAfterALogonThatFetchedNothingIsReported) {
  each_queue([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    ASSERT_TRUE(one.endpoint.send("D", "11=2"));
    one.log_on();
    one.endpoint.disconnect();
    ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    EXPECT_EQ(losses(one), Losses{2});
  });
}

TEST(Queue16, LossByOurResetInSessionIsReported) {
  Case one(queueing(Role::Acceptor));
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  one.log_on();
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  EXPECT_EQ(losses(one), Losses{1});
}

TEST(Queue16, LossByANumberSetBackOrASequenceResetIsReported) {
  Case back(queueing(Role::Acceptor));
  ASSERT_TRUE(back.endpoint.send("D", "11=1"));
  ASSERT_TRUE(back.endpoint.send("D", "11=2"));
  ASSERT_TRUE(back.endpoint.session().set_next_outgoing(5, back.endpoint.out()));
  back.endpoint.carry_out();
  EXPECT_EQ(losses(back), Losses{});  // The peer can still request them.
  ASSERT_TRUE(back.endpoint.session().set_next_outgoing(2, back.endpoint.out()));
  back.endpoint.carry_out();
  EXPECT_EQ(losses(back), Losses{2});
  Case skipped(queueing(Role::Acceptor));
  ASSERT_TRUE(skipped.endpoint.send("D", "11=1"));
  skipped.log_on();
  ASSERT_TRUE(skipped.endpoint.session().send_sequence_reset(20, skipped.clock.now(),
                                                             skipped.endpoint.out()));
  skipped.endpoint.carry_out();
  EXPECT_EQ(losses(skipped), Losses{1});
  skipped.endpoint.restart();
  skipped.log_on("141=Y|");
  EXPECT_EQ(losses(skipped), Losses{1});  // Once.
}

TEST(Queue16, FetchedMessagesAreNotLost) {
  each_queue([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    ASSERT_TRUE(one.endpoint.send("D", "11=2"));
    ASSERT_TRUE(one.endpoint.send("D", "11=3"));
    one.log_on();
    one.peer.say("2", "7=1|16=1");
    one.endpoint.restart();  // The records have the rest.
    one.connect();
    one.endpoint.disconnect();
    ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    EXPECT_EQ(losses(one), Losses{2});
  });
  each_queue([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    ASSERT_TRUE(one.endpoint.send("D", "11=2"));
    one.log_on();
    one.peer.say("2", "7=1|16=2");
    EXPECT_EQ(one.endpoint.state().queued, session::QueuedState{});
    one.endpoint.restart();
    ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    EXPECT_EQ(losses(one), Losses{});
  });
}

TEST(Queue16, MessagesBelowTheirNextExpectedAreNotLost) {
  Case one(queueing(Role::Acceptor));
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  one.log_on("789=2|");  // Brings the second.
  EXPECT_EQ(one.endpoint.state().queued, session::QueuedState{});
  one.endpoint.disconnect();
  ASSERT_TRUE(one.endpoint.send("D", "11=3"));
  one.log_on("789=" + std::to_string(one.endpoint.state().next_outgoing) + "|");
  EXPECT_EQ(one.endpoint.state().queued, session::QueuedState{});
  one.endpoint.disconnect();
  one.log_on("141=Y|");
  EXPECT_EQ(losses(one), Losses{});
}

TEST(Queue16, TheLimitHoldsOverARestart) {
  SessionOptions options = queueing(Role::Acceptor);
  options.queued_max = 2;
  Case one(options);
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  one.endpoint.restart();
  const session::SendResult full = one.endpoint.send("D", "11=3");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), session::SendError::QueueFull);
}

TEST(Queue16, DuringOurResetTheyWaitForTheAnswer) {
  Case one(queueing(Role::Acceptor));
  one.log_on();
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  ASSERT_EQ(types_of(one.peer.listen()), "A");
  EXPECT_EQ(one.endpoint.send("D", "11=1").value_or(0), 2u);
  EXPECT_TRUE(one.peer.listen().empty());
  const Messages sent = one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1});
  ASSERT_EQ(types_of(sent), "D");
  EXPECT_EQ(field_of(sent[0], 34), "2");
}

TEST(Queue16, OptionsThatWouldLoseThemContradictIt) {
  const auto faulty = [](auto set) {
    SessionOptions options = queueing(Role::Acceptor);
    set(options);
    return session::option_fault(options) != session::OptionFault::None;
  };
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.reset_on_logon = true; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.reset_on_logout = true; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.reset_on_disconnect = true; }));
  EXPECT_TRUE(faulty(
      [](SessionOptions& options) { options.resend_answer = session::ResendAnswer::GapFill; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.queued_max = 0; }));
}

}  // namespace
}  // namespace affix::session_test
