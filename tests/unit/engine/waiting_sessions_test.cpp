// SPDX-License-Identifier: MIT
// Sessions that wait: each once in each list, attended in rounds, and forgotten everywhere.
#include "engine/waiting_sessions.hpp"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace affix::engine {
namespace {

using host::Wait;

class WaitingOne {
 public:
  [[nodiscard]] host::WaitSet& waits() noexcept { return waits_; }

 private:
  host::WaitSet waits_;
};

class WaitingSessionsTest : public ::testing::Test {
 protected:
  WaitingSessionsTest() { waiting_.reserve(sessions_.size()); }

  /// Those that one call of attend() with one round passes.
  std::vector<WaitingOne*> attended() {
    std::vector<WaitingOne*> all;
    waiting_.attend(1, [&](WaitingOne& session) { all.push_back(&session); });
    return all;
  }

  std::array<WaitingOne, 3> sessions_;
  WaitingSessions<WaitingOne> waiting_;
};

TEST_F(WaitingSessionsTest, ASessionIsThereOnceUntilItWasAttended) {
  EXPECT_FALSE(waiting_.any(Wait::Attention));
  waiting_.add(Wait::Attention, sessions_[0]);
  waiting_.add(Wait::Attention, sessions_[0]);
  waiting_.add(Wait::Attention, sessions_[1]);
  EXPECT_EQ(waiting_.count(Wait::Attention), 2U);
  EXPECT_EQ(attended(), (std::vector<WaitingOne*>{&sessions_[0], &sessions_[1]}));
  EXPECT_FALSE(waiting_.any(Wait::Attention));
  waiting_.add(Wait::Attention, sessions_[0]);
  EXPECT_EQ(attended(), (std::vector<WaitingOne*>{&sessions_[0]}));
}

TEST_F(WaitingSessionsTest, ASessionThatIsAttendedAtOnceMayWaitAgain) {
  waiting_.add(Wait::Replication, sessions_[0]);
  waiting_.add(Wait::Replication, sessions_[1]);
  waiting_.add(Wait::Attention, sessions_[1]);
  std::vector<WaitingOne*> all;
  waiting_.end_and_attend(Wait::Replication, [&](WaitingOne& session) {
    EXPECT_FALSE(session.waits().has(Wait::Replication));
    all.push_back(&session);
    if (&session == &sessions_[0]) {
      waiting_.add(Wait::Replication, session);
    }
  });
  EXPECT_EQ(all, (std::vector<WaitingOne*>{&sessions_[0], &sessions_[1]}));
  EXPECT_EQ(waiting_.count(Wait::Replication), 1U);
  EXPECT_TRUE(sessions_[0].waits().has(Wait::Replication));
  EXPECT_EQ(attended(), (std::vector<WaitingOne*>{&sessions_[1]}));
}

TEST_F(WaitingSessionsTest, ListsAreApart) {
  for (const Wait wait : {Wait::NextTurn, Wait::Durability, Wait::Pages}) {
    waiting_.add(wait, sessions_[0]);
    EXPECT_EQ(waiting_.count(wait), 1U);
  }
  EXPECT_FALSE(waiting_.any(Wait::Attention));
  waiting_.end(Wait::Durability);
  EXPECT_FALSE(waiting_.any(Wait::Durability));
  EXPECT_FALSE(sessions_[0].waits().has(Wait::Durability));
  EXPECT_TRUE(waiting_.any(Wait::Pages));
  EXPECT_TRUE(waiting_.any(Wait::NextTurn));
  waiting_.end(Wait::Pages);
  EXPECT_EQ(attended(), (std::vector<WaitingOne*>{&sessions_[0]})) << "once for both";
}

TEST_F(WaitingSessionsTest, ThoseThatAskMeanwhileAreInTheNextRound) {
  waiting_.add(Wait::Attention, sessions_[0]);
  std::vector<WaitingOne*> all;
  const auto ask_each_other = [&](WaitingOne& session) {
    all.push_back(&session);
    waiting_.add(Wait::Attention, &session == &sessions_[0] ? sessions_[1] : sessions_[0]);
  };
  waiting_.attend(3, ask_each_other);
  EXPECT_EQ(all, (std::vector<WaitingOne*>{&sessions_[0], &sessions_[1], &sessions_[0]}));
  EXPECT_EQ(waiting_.count(Wait::Attention), 1U) << "the rest is for later";
}

TEST_F(WaitingSessionsTest, AForgottenSessionIsInNoListAndComesIntoNone) {
  for (const Wait wait : {Wait::Attention, Wait::NextTurn, Wait::Durability, Wait::Pages}) {
    waiting_.add(wait, sessions_[0]);
    waiting_.add(wait, sessions_[1]);
  }
  waiting_.forget(sessions_[0]);
  for (const Wait wait : {Wait::NextTurn, Wait::Durability, Wait::Pages}) {
    EXPECT_EQ(waiting_.count(wait), 1U);
  }
  waiting_.add(Wait::Attention, sessions_[0]);
  EXPECT_EQ(attended(), (std::vector<WaitingOne*>{&sessions_[1]}));
}

}  // namespace
}  // namespace affix::engine
