// SPDX-License-Identifier: MIT
// A session that a later process continues on the same connection.
#include "affix/wire/index.hpp"

#include "session_case.hpp"

namespace affix::session_test {
namespace {

/// A new process with the same records, on the same connection.
void continue_with(Case& one, session::ContinuedState before = {}) {
  if (before.heartbeat_interval_ns == 0) {
    before.heartbeat_interval_ns = 30 * ns_per_second;
  }
  one.endpoint.restart();
  one.endpoint.session().on_continued(before, one.endpoint.now, one.endpoint.out());
  one.endpoint.carry_out();
}

void answer_again(Case& one, const std::string& message) {
  wire::FieldIndexOf<64> index;
  wire::index_message(message, index);
  one.endpoint.session().answer_again(wire::MessageView(message, index), one.endpoint.now,
                                      one.endpoint.out());
  one.endpoint.carry_out();
}

TEST(Continued, IsLoggedOnAndAsksForASignOfThePeer) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    one.peer.listen();
    one.order("2");
    const std::uint64_t next = one.endpoint.state().next_outgoing;
    const std::uint64_t expected = one.expected();
    continue_with(one);
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.endpoint.reports.back().event, Event::TestRequestSent);
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "1");
    EXPECT_EQ(field_of(sent[0], 34), std::to_string(next));
    EXPECT_EQ(one.expected(), expected);
    EXPECT_TRUE(one.peer.say("0", "112=" + std::string(field_of(sent[0], 112))).empty());
    // Its timers are those of the Logons.
    EXPECT_EQ(types_of(one.peer.pass(30 * ns_per_second)), "0");
    ASSERT_TRUE(one.endpoint.send("D", "11=3"));
    EXPECT_EQ(types_of(one.peer.listen()), "D");
  });
}

TEST(Continued, AsksForWhatTheEarlierProcessHadReadAndNotStored) {
  each_session([](Case& one) {
    const std::uint64_t lost = one.expected();
    continue_with(one);
    const Messages test = one.peer.listen();
    const Messages asked = one.peer.say("0", "112=1", {.sequence = lost + 2});
    ASSERT_EQ(types_of(asked), "2");
    EXPECT_EQ(field_of(asked[0], 7), std::to_string(lost));
  });
}

TEST(Continued, DoesNotAskTwiceForWhatTheEarlierProcessHasAskedFor) {
  each_session([](Case& one) {
    const std::uint64_t missing = one.expected();
    session::ContinuedState before;
    before.gap = {.highest = missing + 2, .asked_from = missing, .asked_to = missing + 2};
    continue_with(one, before);
    const Messages test = one.peer.listen();
    ASSERT_EQ(types_of(test), "1");
    EXPECT_TRUE(
        one.order("1",
                  {.sequence = missing, .possible_duplicate = true, .extra = "122=" + one.ago(1)})
            .empty());
    EXPECT_TRUE(
        one.peer.say("0", "112=" + std::string(field_of(test[0], 112)), {.sequence = missing + 3})
            .empty());
    for (const std::uint64_t number : {missing + 1, missing + 2}) {
      EXPECT_TRUE(
          one.order("2",
                    {.sequence = number, .possible_duplicate = true, .extra = "122=" + one.ago(1)})
              .empty());
    }
    EXPECT_EQ(one.expected(), missing + 4);
  });
}

TEST(Continued, AsksAgainIfTheAnswerWasReadAndNotStored) {
  each_session([](Case& one) {
    const std::uint64_t missing = one.expected();
    session::ContinuedState before;
    before.gap = {.highest = missing + 2, .asked_from = missing, .asked_to = missing + 2};
    continue_with(one, before);
    const Messages test = one.peer.listen();
    ASSERT_EQ(types_of(test), "1");
    const Messages asked =
        one.peer.say("0", "112=" + std::string(field_of(test[0], 112)), {.sequence = missing + 3});
    ASSERT_EQ(types_of(asked), "2");
    EXPECT_EQ(field_of(asked[0], 7), std::to_string(missing));
  });
}

TEST(Continued, GoesOnWithTheResendThatWasUnderWay) {
  each_session([](Case& one) {
    const std::uint64_t first = one.endpoint.state().next_outgoing;
    for (const std::string_view id : {"11=1", "11=2", "11=3"}) {
      ASSERT_TRUE(one.endpoint.send("D", id));
    }
    one.peer.listen();
    session::ContinuedState before;
    before.replay = {.from = first, .to = first + 2, .next = first + 1};
    continue_with(one, before);
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "1 D D");
    EXPECT_EQ(field_of(sent[1], 11), "2");
    EXPECT_EQ(field_of(sent[2], 11), "3");
    EXPECT_EQ(field_of(sent[2], 43), "Y");
  });
}

TEST(Continued, AnswersAgainWhatMayBeUnanswered) {
  each_session([](Case& one) {
    const std::uint64_t first = one.endpoint.state().next_outgoing;
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    one.peer.listen();
    const std::string test = one.peer.message("1", "112=are you there");
    const std::string request = one.peer.message("2", "7=" + std::to_string(first) + "|16=0");
    const std::string order = one.peer.message("D", "11=x|55=X|54=1|38=1");
    const std::string logout = one.peer.message("5");
    continue_with(one);
    one.peer.listen();
    answer_again(one, test);
    Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "0");
    EXPECT_EQ(field_of(sent[0], 112), "are you there");
    answer_again(one, order);
    EXPECT_TRUE(one.peer.listen().empty());
    EXPECT_EQ(one.delivered(), 0u);
    answer_again(one, request);
    sent = one.peer.listen();
    ASSERT_FALSE(sent.empty());
    EXPECT_EQ(field_of(sent[0], 11), "1");
    EXPECT_EQ(field_of(sent[0], 43), "Y");
    answer_again(one, logout);
    EXPECT_EQ(types_of(one.peer.listen()), "5");
    EXPECT_EQ(one.endpoint.phase(), Phase::LogoutAnswered);
  });
}

TEST(Continued, KeepsToTheLimitOfThePeersMessages) {
  each_session([](Case& one) {
    session::ContinuedState before;
    before.peer_message_bytes_max = 200;
    continue_with(one, before);
    one.peer.listen();
    const auto result = one.endpoint.send("D", "58=" + std::string(300, 'x'));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), session::SendError::TooLargeForPeer);
  });
}

}  // namespace
}  // namespace affix::session_test
