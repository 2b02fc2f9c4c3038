// SPDX-License-Identifier: MIT
// Recorded messages in the order in which an engine executed them.
#include "certify/execution_order.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
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
  std::map<std::string, std::string_view> by_bytes;
  for (std::string_view text : texts) {
    messages.push_back(message(text));
    text.remove_prefix(text.starts_with('@') ? 3 : 0);
    by_bytes[messages.back().bytes] = text;
  }
  std::vector<std::string> result;
  for (const RecordedMessage& each : in_execution_order(std::move(messages), "ENGINE")) {
    result.emplace_back(by_bytes.at(each.bytes));
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

// B's order fills A's, but a capture saw it before A's first cancel was refused.
TEST(ExecutionOrder, ARefusalPrecedesTheRequestWhoseReportFollowsIt) {
  EXPECT_EQ(ordered({"A>D|11=a", "A<8|17=E1|11=a", "A>F|11=c|41=x", "B>D|11=b", "A<9|11=c|41=x",
                     "A<8|17=E2|11=a", "B<8|17=E3|11=b"}),
            (Texts{"A>D|11=a", "A<8|17=E1|11=a", "A>F|11=c|41=x", "A<9|11=c|41=x", "B>D|11=b",
                   "A<8|17=E2|11=a", "B<8|17=E3|11=b"}));
}

/// An exchange of one price: an order meets the oldest one that rests, or rests. Executes requests
/// in the form of message(), and answers so.
class Exchange {
 public:
  explicit Exchange(bool passive_first) : passive_first_(passive_first) {}

  /// The answers. `request`: "A>D|11=A1", "A>F|11=A2|41=A1".
  std::vector<std::string> execute(const std::string& request) {
    const std::string peer = request.substr(0, 1);
    const std::string id = request.substr(request.find("11=") + 3, request.find("|41=") - 7);
    if (request[2] == 'D') {
      if (resting_.empty()) {
        resting_.push_back(id);
        return {report(id, "0")};
      }
      const std::string passive = resting_.front();
      resting_.erase(resting_.begin());
      std::vector<std::string> fills;
      for (const bool of_passive : {passive_first_, !passive_first_}) {
        fills.push_back(report(of_passive ? passive : id, "F"));
      }
      return fills;
    }
    const std::string order = request.substr(request.find("|41=") + 4);
    const auto found = std::ranges::find(resting_, order);
    if (found == resting_.end()) {
      return {peer + "<9|11=" + id + "|41=" + order};
    }
    resting_.erase(found);
    return {report(id, "4")};
  }

 private:
  std::string report(const std::string& id, const std::string& type) {
    return id.substr(0, 1) + "<8|17=E" + std::to_string(++last_) + "|11=" + id + "|150=" + type;
  }

  bool passive_first_;
  int last_ = 0;
  std::vector<std::string> resting_;  ///< ClOrdIDs.
};

/// Messages between three members and an exchange, as a relay saw them.
class Relayed {
 public:
  explicit Relayed(std::uint32_t seed) : random_(seed), exchange_(seed % 2 == 0) {}

  std::vector<std::string> record() {
    // The first orders are on the way alone, so the record shows which report is sent first.
    for (const std::size_t member : {0U, 1U, 2U, 0U}) {
      send(member);
      execute(member);
      receive_all();
    }
    constexpr std::size_t on_the_way = 3;
    for (int step = 0; step < 400; ++step) {
      const std::size_t member = random_() % members_.size();
      switch (random_() % 4) {
        case 0:
          if (members_[member].to_engine.size() < on_the_way) {
            send(member);
          }
          break;
        case 1:
          execute(member);
          break;
        default:
          receive(member);
      }
    }
    for (std::size_t member = 0; member < members_.size(); ++member) {
      while (execute(member)) {
      }
    }
    receive_all();
    return seen_;
  }

 private:
  struct Member {
    std::uint32_t sent = 0;
    std::deque<std::string> to_engine;
    std::deque<std::string> to_member;
  };

  void send(std::size_t member) {
    const std::string peer(1, static_cast<char>('A' + static_cast<int>(member)));
    Member& here = members_[member];
    const std::string id = peer + std::to_string(++here.sent);
    std::string request = peer + ">D|11=" + id;
    if (here.sent > 1 && random_() % 3 == 0) {
      request[2] = 'F';
      request += "|41=" + peer + std::to_string(1 + random_() % (here.sent - 1));
    }
    seen_.push_back(request);
    here.to_engine.push_back(request);
  }

  bool execute(std::size_t member) {
    Member& here = members_[member];
    if (here.to_engine.empty()) {
      return false;
    }
    for (const std::string& answer : exchange_.execute(here.to_engine.front())) {
      members_[static_cast<std::size_t>(answer[0] - 'A')].to_member.push_back(answer);
    }
    here.to_engine.pop_front();
    return true;
  }

  void receive_all() {
    for (std::size_t member = 0; member < members_.size(); ++member) {
      while (receive(member)) {
      }
    }
  }

  bool receive(std::size_t member) {
    Member& here = members_[member];
    if (here.to_member.empty()) {
      return false;
    }
    seen_.push_back(here.to_member.front());
    here.to_member.pop_front();
    return true;
  }

  std::mt19937 random_;
  Exchange exchange_;
  std::array<Member, 3> members_;
  std::vector<std::string> seen_;
};

/// Plays the requests to a fresh exchange: each is executed at once.
std::map<char, Texts> played(const Texts& texts, bool passive_first) {
  Exchange exchange(passive_first);
  std::map<char, Texts> answers;
  for (const std::string& text : texts) {
    if (text[1] == '>') {
      for (const std::string& answer : exchange.execute(text)) {
        answers[answer[0]].push_back(answer.substr(0, 3) + answer.substr(answer.find("|11=")));
      }
    }
  }
  return answers;
}

// Whatever a relay sees first, a fresh exchange gives each member the same answers.
TEST(ExecutionOrder, WhatIsPlayedAgainHasTheSameAnswers) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const Texts seen = Relayed(seed).record();
    const Texts again = ordered({seen.begin(), seen.end()});
    ASSERT_EQ(again.size(), seen.size());
    std::map<char, Texts> wanted;
    for (const std::string& text : seen) {
      if (text[1] == '<') {
        wanted[text[0]].push_back(text.substr(0, 3) + text.substr(text.find("|11=")));
      }
    }
    ASSERT_EQ(played(again, seed % 2 == 0), wanted) << "seed " << seed;
  }
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
