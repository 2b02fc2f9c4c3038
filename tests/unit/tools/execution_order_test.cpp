// SPDX-License-Identifier: MIT
// Recorded messages in the order in which an engine executed them.
#include "certify/execution_order.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::tools::certify {
namespace {

constexpr std::int64_t second = 1'000'000'000;

/// "A>D|11=x": of A to the engine; "A<8|17=E1": to A. "@5 " in front: after 5 seconds.
RecordedMessage message(std::string_view text) {
  std::int64_t utc_ns = second;
  if (text.starts_with('@')) {
    utc_ns += (text[1] - '0') * second;
    text.remove_prefix(3);
  }
  const bool sent = text[1] == '>';
  const std::string peer(text.substr(0, 1));
  std::string bytes = "8=FIX.4.4|9=1|35=" + std::string(text.substr(2, 1)) +
                      "|49=" + (sent ? peer : "ENGINE") + "|56=" + (sent ? "ENGINE" : peer) +
                      std::string(text.substr(3)) + "|10=000|";
  std::ranges::replace(bytes, '|', '\x01');
  return {bytes, utc_ns};
}

/// Ordered, in the form of message(), without times.
std::vector<std::string> ordered(const std::vector<std::string_view>& texts) {
  std::vector<RecordedMessage> messages;
  for (const std::string_view text : texts) {
    messages.push_back(message(text));
  }
  std::vector<std::string> result;
  for (const RecordedMessage& each : in_execution_order(std::move(messages), "ENGINE")) {
    const auto found = std::ranges::find_if(
        texts, [&](std::string_view text) { return message(text).bytes == each.bytes; });
    std::string_view text = found == texts.end() ? std::string_view("?") : *found;
    text.remove_prefix(text.starts_with('@') ? 3 : 0);
    result.emplace_back(text);
  }
  return result;
}

using Texts = std::vector<std::string>;

// Two orders are on the way before the engine reads the first, and it reads the second one's
// session before.
TEST(ExecutionOrder, RequestsFollowTheAnswersThatPrecededThem) {
  EXPECT_EQ(ordered({"A>D|11=a", "B>D|11=b", "B<8|17=E1|11=b", "A<8|17=E2|11=a"}),
            (Texts{"B>D|11=b", "B<8|17=E1|11=b", "A>D|11=a", "A<8|17=E2|11=a"}));
  EXPECT_EQ(ordered({"A>D|11=a", "B>D|11=b", "A<8|17=E2|11=a", "B<8|17=E1|11=b"}),
            (Texts{"B>D|11=b", "B<8|17=E1|11=b", "A>D|11=a", "A<8|17=E2|11=a"}));
}

// The fill of an older order comes between the second order and its answer, and is not held up.
TEST(ExecutionOrder, OrdersOfOneSessionAreDividedByTheOthers) {
  EXPECT_EQ(ordered({"A>D|11=a", "A>D|11=b", "B>D|11=c", "A<8|17=E1|11=a", "A<8|17=E3|11=a",
                     "A<8|17=E5|11=b", "B<8|17=E2|11=c", "B<8|17=E4|11=c"}),
            (Texts{"A>D|11=a", "A<8|17=E1|11=a", "B>D|11=c", "B<8|17=E2|11=c", "A>D|11=b",
                   "A<8|17=E3|11=a", "B<8|17=E4|11=c", "A<8|17=E5|11=b"}));
}

// The fill of the order that rests comes before the answer to the order that caused it.
TEST(ExecutionOrder, AnEffectDoesNotPrecedeItsRequest) {
  const std::vector<std::string_view> texts{"A>D|11=a",       "A<8|17=E1|11=a", "A>D|11=b",
                                            "A<8|17=E2|11=a", "A<8|17=E3|11=b", "A>q|11=m",
                                            "A<8|17=E4|11=a", "A<r|11=m"};
  EXPECT_EQ(ordered(texts), Texts(texts.begin(), texts.end()));
}

// The cancel was on its way when the order was filled.
TEST(ExecutionOrder, ARefusedRequestPrecedesItsAnswer) {
  EXPECT_EQ(ordered({"A>D|11=a", "A<8|17=E1|11=a", "A>F|11=c|41=a", "B>D|11=b", "B<8|17=E2|11=b",
                     "A<8|17=E3|11=a", "B<8|17=E4|11=b", "A<9|11=c|41=a"}),
            (Texts{"A>D|11=a", "A<8|17=E1|11=a", "B>D|11=b", "B<8|17=E2|11=b", "A<8|17=E3|11=a",
                   "B<8|17=E4|11=b", "A>F|11=c|41=a", "A<9|11=c|41=a"}));
  // By RefSeqNum.
  EXPECT_EQ(ordered({"A>D|34=2|11=a", "A>F|34=3|11=c", "A<8|17=E1|11=a", "A<3|45=3"}),
            (Texts{"A>D|34=2|11=a", "A<8|17=E1|11=a", "A>F|34=3|11=c", "A<3|45=3"}));
}

// A turn's messages have one time, so the sessions' journals are one after the other.
TEST(ExecutionOrder, SessionsOfOneTimeAreMixed) {
  EXPECT_EQ(ordered({"A>D|11=a", "A<8|17=E1|11=a", "A<8|17=E3|11=a", "B>D|11=b", "B<8|17=E2|11=b",
                     "B<8|17=E4|11=b"}),
            (Texts{"A>D|11=a", "A<8|17=E1|11=a", "B>D|11=b", "B<8|17=E2|11=b", "A<8|17=E3|11=a",
                   "B<8|17=E4|11=b"}));
}

// A report that waited for a member that was away holds nobody up.
TEST(ExecutionOrder, ALateReportStaysLate) {
  const std::vector<std::string_view> texts{"A>D|11=a",       "A<8|17=E1|11=a",   "B>D|11=b",
                                            "B<8|17=E2|11=b", "B>V|262=v",        "B<W|262=v",
                                            "B>D|11=c",       "B<8|17=E4|11=c",   "@9 A>A|98=0",
                                            "@9 A<A|98=0",    "@9 A<8|17=E3|11=a"};
  Texts wanted;
  for (std::string_view text : texts) {
    text.remove_prefix(text.starts_with('@') ? 3 : 0);
    wanted.emplace_back(text);
  }
  EXPECT_EQ(ordered(texts), wanted);
}

// The fill was on its way when the member logged out, so the other's order comes before.
TEST(ExecutionOrder, ALogoutIsExecutedWhenItIsAnswered) {
  EXPECT_EQ(ordered({"A>D|11=a", "A<8|17=E1|11=a", "A>5", "B>D|11=b", "A<8|17=E3|11=a",
                     "B<8|17=E2|11=b", "A<5", "B>D|11=c"}),
            (Texts{"A>D|11=a", "A<8|17=E1|11=a", "B>D|11=b", "B<8|17=E2|11=b", "A<8|17=E3|11=a",
                   "A>5", "A<5", "B>D|11=c"}));
}

TEST(ExecutionOrder, WithoutRisingNumbersTheOrderStays) {
  for (const std::string_view last : {"B<8|17=E1|11=b", "A<8|17=E1|11=a", "B<8|17=X|11=b"}) {
    const std::vector<std::string_view> texts{"A>D|11=a", "B>D|11=b", "A<8|17=E1|11=a|39=0",
                                              "A<8|17=E1|11=a", last};
    EXPECT_EQ(ordered(texts), Texts(texts.begin(), texts.end())) << last;
  }
}

TEST(ExecutionOrder, LeavesOutOtherSidesAndWhatThePlayerSends) {
  EXPECT_EQ(ordered({"A>A|98=0", "A<A|98=0", "A>0", "A<1|112=x", "A>3|45=1", "A>5"}),
            (Texts{"A>A|98=0", "A<A|98=0", "A>3|45=1", "A>5"}));
  EXPECT_TRUE(in_execution_order({{"no message", 0}, {"", 0}}, "ENGINE").empty());
}

}  // namespace
}  // namespace affix::tools::certify
