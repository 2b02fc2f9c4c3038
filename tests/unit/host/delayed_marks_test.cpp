// SPDX-License-Identifier: MIT
// Processed marks wait for messages that are sent and not stored, and are dropped with them.
#include "host/delayed_marks.hpp"

#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

namespace affix::host {
namespace {

class DelayedMarksTest : public ::testing::Test {
 protected:
  DelayedMarksTest() {
    journal::Options options;
    options.directory = directory_.path("journal");
    options.identity = "FIX.4.4:A->B";
    journal_ = std::move(*journal::Journal::open(options));
  }

  /// Receives a message and delays its mark.
  void delay_one() {
    ++received_;
    const journal::Position position =
        journal_
            ->append_received(received_, received_ + 1, 1, std::to_string(received_),
                              journal::Delivery::Application)
            .position();
    ASSERT_TRUE(marks_.delay(*journal_, position));
  }

  support::TemporaryDirectory directory_;
  std::unique_ptr<journal::Journal> journal_;
  std::uint64_t received_ = 0;
  DelayedMarks marks_;
};

TEST_F(DelayedMarksTest, AreSetWhenTheLastSessionHasStoredItsMessages) {
  EXPECT_TRUE(marks_.open());
  marks_.begin_late();
  marks_.begin_late();
  EXPECT_FALSE(marks_.open());
  delay_one();
  delay_one();
  marks_.end_late(true);
  EXPECT_FALSE(marks_.open());
  EXPECT_EQ(journal_->unprocessed_count(), 2U);
  marks_.end_late(true);
  EXPECT_TRUE(marks_.open());
  EXPECT_EQ(journal_->unprocessed_count(), 0U);
  EXPECT_FALSE(marks_.dropped_last());
  EXPECT_EQ(marks_.refusals(), 0U);
}

TEST_F(DelayedMarksTest, AreDroppedWhenAnyMessageWasNotStored) {
  marks_.begin_late();
  marks_.begin_late();
  delay_one();
  marks_.end_late(false);
  EXPECT_EQ(marks_.refusals(), 1U);
  marks_.end_late(true);
  EXPECT_EQ(journal_->unprocessed_count(), 1U) << "its answer may be the one that is lost";
  EXPECT_TRUE(marks_.dropped_last());
}

TEST_F(DelayedMarksTest, ARefusalDoesNotDropTheNextOnes) {
  marks_.begin_late();
  delay_one();
  marks_.end_late(false);
  marks_.begin_late();
  delay_one();
  marks_.end_late(true);
  EXPECT_FALSE(marks_.dropped_last());
  EXPECT_EQ(journal_->unprocessed_count(), 1U);
}

TEST_F(DelayedMarksTest, CountRefusalsBeforeASend) {
  marks_.note_refusal();
  marks_.note_refusal();
  EXPECT_EQ(marks_.refusals(), 2U);
  EXPECT_TRUE(marks_.open());
}

TEST_F(DelayedMarksTest, SayWhenThereIsNoRoom) {
  constexpr int more_than_room = 10'000;
  marks_.begin_late();
  int delayed = 0;
  while (delayed < more_than_room && marks_.delay(*journal_, {1, 8})) {
    ++delayed;
  }
  EXPECT_GT(delayed, 100);
  EXPECT_LT(delayed, more_than_room);
  marks_.end_late(false);
  EXPECT_TRUE(marks_.delay(*journal_, {1, 8}));
}

}  // namespace
}  // namespace affix::host
