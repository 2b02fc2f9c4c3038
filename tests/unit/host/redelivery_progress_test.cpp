// SPDX-License-Identifier: MIT
// When messages of an earlier run, or asked for again, are delivered: the stages without a session.
#include "host/redelivery_progress.hpp"

#include "host/unprocessed_watch.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace affix::host {
namespace {

class RedeliveryStages : public ::testing::Test {
 protected:
  RedeliveryStages() {
    journal::Options options;
    options.directory = directory_.path("journal");
    options.identity = "FIX.4.4:A->B";
    journal_ = std::move(*journal::Journal::open(options));
  }

  journal::Position receive() {
    ++received_;
    return journal_
        ->append_received(received_, received_ + 1, 1, std::to_string(received_),
                          journal::Delivery::Application)
        .position();
  }

  /// Numbers of the messages of the present run, in order; the last one ends it.
  std::vector<std::uint64_t> run() {
    std::vector<std::uint64_t> numbers;
    journal::Replay& replay = progress_.replay(*journal_, journal::ColdPages::Read);
    while (const auto record = replay.next()) {
      numbers.push_back(record->sequence);
    }
    return numbers;
  }

  support::TemporaryDirectory directory_;
  std::unique_ptr<journal::Journal> journal_;
  std::uint64_t received_ = 0;
  RedeliveryProgress progress_;
};

using Numbers = std::vector<std::uint64_t>;

TEST_F(RedeliveryStages, WithoutUnprocessedMessagesThereIsNoRun) {
  EXPECT_FALSE(progress_.begin(Redelivery::AtStart, *journal_));
  EXPECT_FALSE(progress_.running());
  EXPECT_FALSE(progress_.on_logged_on());
  EXPECT_FALSE(progress_.ask(*journal_));
}

TEST_F(RedeliveryStages, AtStartTheyComeAtOnceAndNoLogoutInterruptsThem) {
  receive();
  EXPECT_TRUE(progress_.begin(Redelivery::AtStart, *journal_));
  EXPECT_TRUE(progress_.running());
  EXPECT_FALSE(progress_.interrupt(*journal_));
  EXPECT_EQ(run(), Numbers({1}));
  EXPECT_FALSE(progress_.end(*journal_));
  EXPECT_FALSE(progress_.running());
}

TEST_F(RedeliveryStages, AfterTheLogonARunThatIsInterruptedGoesOnAtItsPlace) {
  receive();
  receive();
  EXPECT_FALSE(progress_.begin(Redelivery::AfterLogon, *journal_));
  EXPECT_TRUE(progress_.due());
  EXPECT_FALSE(progress_.running());
  receive();  // This run's own.
  EXPECT_TRUE(progress_.on_logged_on());
  EXPECT_FALSE(progress_.on_logged_on());
  EXPECT_EQ(progress_.replay(*journal_, journal::ColdPages::Read).next()->sequence, 1U);
  EXPECT_TRUE(progress_.interrupt(*journal_));
  EXPECT_FALSE(progress_.running());
  EXPECT_TRUE(progress_.due());
  EXPECT_TRUE(progress_.on_logged_on());
  EXPECT_EQ(run(), Numbers({2}));
}

TEST_F(RedeliveryStages, WhenAskedNoLogonBeginsThem) {
  receive();
  EXPECT_FALSE(progress_.begin(Redelivery::WhenAsked, *journal_));
  EXPECT_FALSE(progress_.due());
  EXPECT_FALSE(progress_.on_logged_on());
  EXPECT_TRUE(progress_.ask(*journal_));
  EXPECT_EQ(run(), Numbers({1}));
}

TEST_F(RedeliveryStages, OneThatIsAskedForMeanwhileFollowsWithEverythingThatIsLeft) {
  const journal::Position first = receive();
  receive();
  ASSERT_TRUE(progress_.ask(*journal_));
  EXPECT_EQ(run(), Numbers({1, 2}));
  receive();
  EXPECT_FALSE(progress_.ask(*journal_)) << "the present run is not over";
  EXPECT_FALSE(progress_.ask(*journal_));
  journal_->mark_processed(first);
  EXPECT_TRUE(progress_.end(*journal_));
  EXPECT_EQ(run(), Numbers({2, 3}));
  EXPECT_FALSE(progress_.end(*journal_)) << "asked twice, run once more";
}

TEST_F(RedeliveryStages, OneThatIsAskedForAndInterruptedBeginsAgain) {
  receive();
  receive();
  EXPECT_FALSE(progress_.begin(Redelivery::AfterLogon, *journal_));
  EXPECT_TRUE(progress_.on_logged_on());
  EXPECT_EQ(progress_.replay(*journal_, journal::ColdPages::Read).next()->sequence, 1U);
  EXPECT_FALSE(progress_.ask(*journal_));
  EXPECT_TRUE(progress_.interrupt(*journal_));
  receive();
  EXPECT_TRUE(progress_.on_logged_on());
  EXPECT_EQ(run(), Numbers({1, 2})) << "the third came after the interruption";
}

TEST_F(RedeliveryStages, ASessionThatGoesForGoodLeavesThemInTheJournal) {
  receive();
  ASSERT_TRUE(progress_.ask(*journal_));
  EXPECT_EQ(run(), Numbers({1}));
  progress_.stop();
  EXPECT_FALSE(progress_.running());
  EXPECT_EQ(journal_->unprocessed_count(), 1U);
}

TEST(UnprocessedWatch, ReportsALargeNumberAndEachDoubling) {
  UnprocessedWatch watch;
  constexpr std::uint64_t quiet = UnprocessedWatch::quiet_max;
  EXPECT_FALSE(watch.must_report(quiet));
  EXPECT_TRUE(watch.must_report(quiet + 1));
  for (int turn = 0; turn < 10; ++turn) {
    EXPECT_FALSE(watch.must_report(quiet));
    EXPECT_FALSE(watch.must_report(quiet + 1)) << "it goes up and down at the limit";
  }
  EXPECT_FALSE(watch.must_report(2 * quiet));
  EXPECT_TRUE(watch.must_report(2 * quiet + 2));
  EXPECT_FALSE(watch.must_report(0));
  EXPECT_TRUE(watch.must_report(quiet + 1)) << "there were few in between";
}

}  // namespace
}  // namespace affix::host
