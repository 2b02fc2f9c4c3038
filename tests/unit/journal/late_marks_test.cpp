// SPDX-License-Identifier: MIT
// Processed marks over many lives of a journal, with rounds like those of an engine's worker, each
// life ended by a close, a kill or a power loss: a kill loses no mark, and after a power loss no
// mark counts that was not vouched for.
#include "affix/journal/late_marks.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using journal::LateMarks;
using journal::Position;
using Numbers = std::set<std::uint64_t>;

struct LateCase {
  const char* name;
  Durability durability;
};

class JournalLateMarks : public JournalTest, public ::testing::WithParamInterface<LateCase> {
 protected:
  [[nodiscard]] journal::Options vouched() {
    return vouched_segments(GetParam().durability, disk_);
  }

  void kill(std::unique_ptr<Journal>& journal) {
    journal->abandon();
    journal.reset();
  }

  /// The system has written everything that the process stored before the power fails.
  void lose_power_late(std::unique_ptr<Journal>& journal) {
    kill(journal);
    disk_.write_back_everything();
    disk_.restart(directory());
  }

  [[nodiscard]] static Numbers unprocessed(const Journal& journal) {
    const std::vector<std::uint64_t> numbers = numbers_of(journal.unprocessed());
    EXPECT_EQ(numbers.size(), journal.unprocessed_count());
    return {numbers.begin(), numbers.end()};
  }

  const std::uint64_t seed_ = support::chosen_seed();
  support::RecordingDisk disk_{seed_ + 1};
};

/// Distance in segments of the record whose mark comes late.
constexpr std::uint32_t segments_behind[] = {0, 1, 4};

TEST_P(JournalLateMarks, CountAfterAKillAndNotAfterAPowerLossUntilTheyAreConfirmed) {
  for (const std::uint32_t behind : segments_behind) {
    for (const bool confirmed : {false, true}) {
      SCOPED_TRACE(std::to_string(behind) + " segments behind, " + (confirmed ? "" : "not ") +
                   "confirmed");
      std::filesystem::remove_all(directory());
      disk_.forget();
      LateMarks late(8);
      auto journal = open(vouched());
      journal->set_late_marks(&late);
      const Position kept = receive(*journal);
      go_on_to(*journal, 1 + behind);
      vouch_for_all(*journal);
      journal->mark_processed(kept);
      EXPECT_EQ(late.size(), 1U) << "its record was settled";
      if (confirmed) {
        vouch_for_all(*journal);
        late.confirm(1);
      }
      kill(journal);

      journal = open(vouched());
      EXPECT_EQ(unprocessed(*journal), Numbers{});
      LateMarks left(8);
      journal->set_late_marks(&left);
      EXPECT_EQ(left.size(), confirmed ? 0U : 1U) << "what nobody has confirmed is to be";
      lose_power_late(journal);

      journal = open(vouched());
      const Numbers expected = confirmed ? Numbers{} : Numbers{1};
      EXPECT_EQ(unprocessed(*journal), expected);
      LateMarks none(8);
      journal->set_late_marks(&none);
      EXPECT_EQ(none.size(), 0U) << "those that were taken back are not to be confirmed";
      kill(journal);
      EXPECT_EQ(unprocessed(*open(vouched())), expected) << "after a kill too";
    }
  }
}

TEST_P(JournalLateMarks, LeftByAKilledProcessAreConfirmedByTheNext) {
  for (const std::uint32_t behind : segments_behind) {
    SCOPED_TRACE(std::to_string(behind) + " segments behind");
    std::filesystem::remove_all(directory());
    disk_.forget();
    LateMarks late(8);
    auto journal = open(vouched());
    journal->set_late_marks(&late);
    const Position kept = receive(*journal);
    go_on_to(*journal, 1 + behind);
    vouch_for_all(*journal);
    journal->mark_processed(kept);
    kill(journal);

    journal = open(vouched());
    LateMarks left(8);
    journal->set_late_marks(&left);
    vouch_for_all(*journal);
    left.confirm(left.size());
    lose_power_late(journal);
    EXPECT_EQ(unprocessed(*open(vouched())), Numbers{});
  }
}

// Records that the next process vouches for are on the disk though it appends nothing.
TEST_P(JournalLateMarks, SetInTimeBeforeAKillAreVouchedForByTheNextProcess) {
  for (const bool vouches : {false, true}) {
    SCOPED_TRACE(vouches);
    std::filesystem::remove_all(directory());
    disk_.forget();
    auto journal = open(vouched());
    journal->mark_processed(receive(*journal));
    ASSERT_TRUE(journal->flush());
    kill(journal);
    journal = open(vouched());
    if (vouches) {
      vouch_for_all(*journal);
      EXPECT_TRUE(journal->keeps_marks_to_itself());
      ASSERT_TRUE(journal->flush());
      EXPECT_FALSE(journal->keeps_marks_to_itself());
    }
    lose_power_late(journal);
    EXPECT_EQ(unprocessed(*open(vouched())), vouches ? Numbers{} : Numbers{1});
  }
}

// This mark was not vouched for then.
TEST_P(JournalLateMarks, AreThoseOfRecordsThatAnEarlierProcessHasSettled) {
  auto journal = open(vouched());
  const Position kept = receive(*journal);
  ASSERT_TRUE(journal->flush());
  kill(journal);
  journal = open(vouched());
  vouch_for_all(*journal);
  receive(*journal, journal::Delivery::SessionOnly);
  ASSERT_TRUE(journal->flush()) << "which stores what was vouched for";
  go_on_to(*journal, 3);
  kill(journal);

  journal = open(vouched());
  LateMarks late(8);
  journal->set_late_marks(&late);
  journal->mark_processed(kept);
  EXPECT_EQ(late.size(), 1U);
  lose_power_late(journal);
  EXPECT_EQ(unprocessed(*open(vouched())), Numbers{1});
}

// The next segment's checkpoint refers to the oldest.
TEST_P(JournalLateMarks, ThatNobodyHasConfirmedComeAgainAfterAPowerLoss) {
  LateMarks late(1);
  auto journal = open(vouched());
  journal->set_late_marks(&late);
  const Position first = receive(*journal);
  const Position second = receive(*journal);
  go_on_to(*journal, 2);
  const Position third = receive(*journal);
  vouch_for_all(*journal);
  journal->mark_processed(third);
  EXPECT_TRUE(journal->awaits_confirmations());
  journal->mark_processed(second);
  journal->mark_processed(first);
  go_on_to(*journal, 6);
  vouch_for_all(*journal);
  late.confirm(1);
  ASSERT_TRUE(journal->flush());
  EXPECT_EQ(unprocessed(*journal), Numbers{});
  kill(journal);
  journal = open(vouched());
  const std::uint64_t open_one = journal->next_expected();
  receive(*journal);
  go_on_to(*journal, 8);
  vouch_for_all(*journal);
  ASSERT_TRUE(journal->flush());
  lose_power_late(journal);
  EXPECT_EQ(unprocessed(*open(vouched())), (Numbers{1, 2, open_one}));
}

TEST_P(JournalLateMarks, MoreThanExpectedAreConfirmedToo) {
  LateMarks late(2);
  auto journal = open(vouched());
  journal->set_late_marks(&late);
  std::vector<Position> kept;
  for (std::uint32_t segment = 1; segment <= 6; ++segment) {
    go_on_to(*journal, segment);
    kept.push_back(receive(*journal));
  }
  vouch_for_all(*journal);
  for (const Position position : kept) {
    EXPECT_EQ(journal->awaits_confirmations(), late.size() >= 2);
    journal->mark_processed(position);
  }
  EXPECT_EQ(late.size(), kept.size());
  vouch_for_all(*journal);
  late.confirm(late.size());
  EXPECT_FALSE(journal->awaits_confirmations());
  lose_power_late(journal);
  EXPECT_EQ(unprocessed(*open(vouched())), Numbers{});
}

// With one that is always unconfirmed, by an application that always has a message in work.
TEST_P(JournalLateMarks, KeepTheirSegmentsOnlyUntilTheyAreConfirmed) {
  journal::Options with = vouched();
  with.keep_bytes = 4 * 16 * 1024;
  LateMarks late(1);
  auto journal = open(with);
  journal->set_late_marks(&late);
  for (std::uint32_t segment = 1; segment <= 20; ++segment) {
    go_on_to(*journal, segment);
    const Position kept = receive(*journal);
    vouch_for_all(*journal);
    journal->mark_processed(kept);
    vouch_for_all(*journal);
    late.confirm(late.size() - 1);
    ASSERT_EQ(late.size(), 1U);
  }
  EXPECT_FALSE(std::filesystem::exists(segment_file(1)));
  EXPECT_FALSE(std::filesystem::exists(segment_file(12)));
}

TEST_P(JournalLateMarks, LeftByAKilledProcessDoNotOutliveACloseThatVouchesForNone) {
  auto journal = open(vouched());
  const Position kept = receive(*journal);
  ASSERT_TRUE(journal->flush());
  kill(journal);
  journal = open(vouched());
  vouch_for_all(*journal);
  ASSERT_TRUE(journal->flush()) << "which stores that all records were settled";
  journal->mark_processed(kept);
  kill(journal);
  journal = open(vouched());
  ASSERT_TRUE(journal->close());
  lose_power_late(journal);
  EXPECT_EQ(unprocessed(*open(vouched())), Numbers{1});
}

// Closed in order, while messages sent from another journal before the mark are not on the disk.
TEST_P(JournalLateMarks, ThatNobodyVouchedForDoNotOutliveAPowerLossAfterAClose) {
  for (const bool vouches : {false, true}) {
    SCOPED_TRACE(vouches);
    std::filesystem::remove_all(directory());
    disk_.forget();
    LateMarks late(8);
    auto journal = open(vouched());
    journal->set_late_marks(&late);
    const Position kept = receive(*journal);
    vouch_for_all(*journal);
    journal->mark_processed(kept);
    if (vouches) {
      vouch_for_all(*journal);
    }
    ASSERT_TRUE(journal->close());
    lose_power_late(journal);
    journal = open(vouched());
    EXPECT_EQ(unprocessed(*journal), vouches ? Numbers{} : Numbers{1});
    EXPECT_EQ(journal->recovered().clean, vouches);
  }
}

/// Random lives.
class JournalMarkLives : public JournalLateMarks {
 protected:
  struct Message {
    Position position;
    bool marked = false;
    bool late = false;
    bool sure = false;      ///< Everything sent before the mark is on the disk.
    bool doubtful = false;  ///< A power loss may have removed what says so of a late mark.
  };

  enum class Death : std::uint8_t { Close, Kill, PowerLoss, LatePowerLoss };

  [[nodiscard]] std::uint64_t any(std::uint64_t below) { return random_() % below; }

  void live(std::uint64_t keep_bytes) {
    journal::Options with = vouched();
    with.keep_bytes = keep_bytes;
    if (any(8) == 0) {
      disk_.lose_power_after(any(60));
    }
    auto opened = Journal::open(with);
    if (!opened) {
      ASSERT_FALSE(disk_.powered()) << opened.error().text();
      end_without(Death::PowerLoss);
      return;
    }
    std::unique_ptr<Journal> journal = std::move(*opened);
    LateMarks late(4'096);
    journal->set_late_marks(&late);
    ASSERT_NO_FATAL_FAILURE(check(*journal, late));
    if (any(4) == 0) {
      disk_.lose_power_after(any(60));
    }
    for (std::uint64_t steps = any(60); steps != 0 && disk_.powered(); --steps) {
      do_something(*journal, late);
    }
    bool closed = disk_.powered() && any(4) == 0;
    if (closed) {
      closed = static_cast<bool>(journal->close());
    }
    all_sure_ = closed && vouched_to_ == journal->end() &&
                std::ranges::all_of(messages_, [](const auto& one) {
                  return one.second.sure || !one.second.marked;
                });
    settled_ = {};
    vouched_to_ = {};
    kill(journal);
    constexpr Death deaths[] = {Death::Kill, Death::PowerLoss, Death::LatePowerLoss};
    const Death death = disk_.powered() ? deaths[any(3)] : Death::PowerLoss;
    end_without(death == Death::Kill && closed ? Death::Close : death);
  }

  void end_without(Death death) {
    if (death == Death::LatePowerLoss) {
      disk_.write_back_everything();
    }
    if (death == Death::PowerLoss || death == Death::LatePowerLoss) {
      disk_.restart(directory());
    }
    // A power loss in an opening after an earlier one: the state left by the earlier one counts.
    death_ = death == Death::LatePowerLoss && lost_unseen_ ? Death::PowerLoss : death;
    lost_unseen_ = lost_unseen_ || death == Death::PowerLoss;
  }

  void do_something(Journal& journal, LateMarks& late) {
    switch (any(10)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const std::uint64_t number = journal.next_expected();
        const bool own = any(3) == 0;
        const auto appended = journal.append_received(
            number, number + 1, start_ns, message_of(number, 40 + any(900)),
            own ? journal::Delivery::SessionOnly : journal::Delivery::Application);
        if (!own && appended.result() == AppendResult::Appended) {
          messages_[number] = {.position = appended.position()};
        }
        break;
      }
      case 4:
      case 5:
      case 6:
        mark_one(journal, late);
        break;
      case 7:
        open_or_end_round(journal, late);
        break;
      case 8:
        static_cast<void>(any(2) == 0 ? journal.flush() : journal.prepare());
        break;
      default:
        disk_.write_back_something();
        break;
    }
  }

  void mark_one(Journal& journal, const LateMarks& late) {
    std::vector<std::uint64_t> open_ones;
    for (const auto& [number, message] : messages_) {
      if (!message.marked) {
        open_ones.push_back(number);
      }
    }
    if (open_ones.empty()) {
      return;
    }
    // Usually from the front, like an application, sometimes any.
    Message& message = messages_[open_ones[any(3) == 0 ? any(open_ones.size()) : 0]];
    const std::size_t before = late.size();
    journal.mark_processed(message.position);
    message.marked = true;
    message.late = late.size() != before;
  }

  // Marks set before a round is opened are vouched for when the round is done.
  void open_or_end_round(Journal& journal, LateMarks& late) {
    if (!settled_) {
      covered_.clear();
      for (const auto& [number, message] : messages_) {
        if (message.marked && (!message.sure || message.doubtful)) {
          covered_.insert(number);
        }
      }
      late_in_round_ = late.size();
      settled_ = journal.settle_marks();
      return;
    }
    if (!journal.flush()) {
      return;
    }
    journal.vouch_for_marks(*settled_);
    vouched_to_ = settled_->before;
    late.confirm(late_in_round_);
    for (const std::uint64_t number : covered_) {
      messages_[number].sure = true;
      messages_[number].doubtful = false;
    }
    settled_.reset();
  }

  // Checks the state left by the last life.
  void check(const Journal& journal, const LateMarks& late) {
    const Numbers again = unprocessed(journal);
    const bool lost = lost_unseen_ || death_ == Death::LatePowerLoss;
    const bool sound = all_sure_ && !lost_unseen_;
    std::size_t left = 0;
    std::size_t doubtful = 0;
    for (auto at = messages_.begin(); at != messages_.end();) {
      auto& [number, message] = *at;
      if (number >= journal.next_expected()) {
        ASSERT_TRUE(lost);
        at = messages_.erase(at);
        continue;
      }
      const bool comes = again.contains(number);
      ASSERT_TRUE(comes || message.marked) << number << " was not dealt with and does not come";
      ASSERT_TRUE(!comes || !message.marked || lost)
          << number << " comes again though no power was lost";
      ASSERT_TRUE(comes || !lost || message.sure)
          << number << " counts as dealt with, and nobody vouched for that";
      const bool confirmed = message.late && message.sure && !message.doubtful;
      ASSERT_TRUE(!comes || !message.marked || lost_unseen_ || !confirmed)
          << number << " was confirmed, and comes again though its mark was written";
      ASSERT_TRUE(!comes || !message.marked || !sound)
          << number << " comes again after a close with every mark vouched for";
      taken_back_ += comes && message.marked ? 1U : 0U;
      outlived_ += lost && !comes ? 1U : 0U;
      message = comes ? Message{.position = message.position} : message;
      left += message.late && !message.sure ? 1U : 0U;
      message.doubtful = message.doubtful || (lost_unseen_ && message.late && message.sure);
      doubtful += message.doubtful ? 1U : 0U;
      ++at;
    }
    ASSERT_TRUE(std::ranges::all_of(again, [this](std::uint64_t number) {
      return messages_.contains(number);
    })) << "what comes again was received";
    // A power loss may have removed a confirmation.
    ASSERT_TRUE(late.size() >= left && (lost || late.size() <= left + doubtful))
        << late.size() << " marks are still to be confirmed, not " << left;
    all_sure_ = false;
    lost_unseen_ = false;
  }

  std::mt19937_64 random_{seed_};
  std::map<std::uint64_t, Message> messages_;
  std::optional<journal::SettledMarks> settled_;  ///< For the open round.
  Position vouched_to_;                           ///< In this life.
  std::size_t late_in_round_ = 0;
  Numbers covered_;  ///< Messages marked before the round was opened.
  Death death_ = Death::Kill;
  bool lost_unseen_ = false;  ///< Pages may have been lost since the last opening that succeeded.
  bool all_sure_ = false;     ///< The last life closed the journal with every mark vouched for.
  std::uint64_t taken_back_ = 0;
  std::uint64_t outlived_ = 0;
};

TEST_P(JournalMarkLives, TakeNoMarkAwayByAKillAndKeepNoneThatNobodyVouchedFor) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 400);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    if (round % 12 == 0) {
      make_empty_directory();
      disk_.forget();
      messages_.clear();
      death_ = Death::Kill;
      lost_unseen_ = all_sure_ = false;
    }
    ASSERT_NO_FATAL_FAILURE(live(round % 24 < 12 ? 0 : 1));
  }
  EXPECT_GT(taken_back_, rounds / 20) << "hardly a mark was taken back: the test loses no power";
  EXPECT_GT(outlived_, rounds / 20) << "hardly a mark outlived a power loss";
}

constexpr auto late_cases = [] {
  return ::testing::Values(LateCase{"group", Durability::Group},
                           LateCase{"sync", Durability::Sync});
};

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalLateMarks, late_cases(),
                         [](const auto& one) { return std::string(one.param.name); });
INSTANTIATE_TEST_SUITE_P(Durabilities, JournalMarkLives, late_cases(),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace affix::journal_test
