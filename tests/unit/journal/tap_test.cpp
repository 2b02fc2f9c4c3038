// SPDX-License-Identifier: MIT
// A tap is told of every store of a journal, in order, with the bytes as they are in the file.
#include "affix/journal/tap.hpp"

#include "affix/journal/late_marks.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/copy_fixture.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::EventType;
using journal::Journal;
using journal::Position;
using What = Store::What;

class JournalTap : public JournalTest {
 protected:
  [[nodiscard]] std::vector<What> whats() const {
    std::vector<What> all;
    for (const Store& store : tap_.stores) {
      all.push_back(store.what);
    }
    return all;
  }

  QueueTap tap_;
};

TEST_F(JournalTap, HasEachRecordAsItIsInTheFile) {
  const auto journal = open();
  send(*journal, 1, 1);
  journal->set_tap(&tap_, 7);
  send(*journal, 2, 3);
  receive(*journal);
  receive(*journal, journal::Delivery::SessionOnly);
  ASSERT_EQ(journal->append_held(9, start_ns, "held"), AppendResult::Appended);
  ASSERT_EQ(journal->append_event(EventType::Remark, 0, 0, start_ns, ""), AppendResult::Appended);
  ASSERT_EQ(whats(), std::vector<What>(6, What::Record));
  const std::string file = read_file(segment_file(1));
  Position next = tap_.stores.front().at;
  for (const Store& store : tap_.stores) {
    EXPECT_EQ(store.tap_id, 7U);
    EXPECT_EQ(store.at, next);
    EXPECT_EQ(file.substr(store.at.offset, store.record.size()), store.record);
    next.offset += static_cast<std::uint32_t>(store.record.size());
  }
  EXPECT_EQ(next, journal->end());
}

TEST_F(JournalTap, IsNotToldAfterItWasUnset) {
  const auto journal = open();
  journal->set_tap(&tap_, 1);
  send(*journal, 1, 1);
  journal->set_tap(nullptr, 0);
  send(*journal, 2, 2);
  journal->mark_processed(receive(*journal));
  EXPECT_EQ(tap_.stores.size(), 1U);
}

TEST_F(JournalTap, HasTheHeaderOfASegmentBeforeItsFirstRecord) {
  const auto journal = open(small_segments());
  journal->set_tap(&tap_, 1);
  while (journal->end().segment == 1) {
    send(*journal, journal->next_outgoing(), journal->next_outgoing(), 700);
  }
  ASSERT_GE(tap_.stores.size(), 2U);
  const Store& segment = tap_.stores[tap_.stores.size() - 2];
  ASSERT_EQ(segment.what, What::Segment);
  EXPECT_EQ(segment.header.segment_number, 2U);
  const std::string file = read_file(segment_file(2));
  EXPECT_EQ(std::memcmp(file.data(), &segment.header, sizeof(segment.header)), 0);
  EXPECT_EQ(tap_.stores.back().at, (Position{2, format::records_offset}));
}

TEST_F(JournalTap, HasMarksAlsoOfSegmentsThatWereLeft) {
  const auto journal = open(small_segments());
  const Position first = receive(*journal);
  go_on_to(*journal, 4);
  const Position last = receive(*journal);
  journal->set_tap(&tap_, 1);
  journal->mark_processed(last);
  journal->mark_processed(first);
  journal->mark_processed(first);
  ASSERT_EQ(whats(), (std::vector<What>{What::Mark, What::Mark}));
  EXPECT_EQ(tap_.stores[0].at, last);
  EXPECT_EQ(tap_.stores[1].at, first);
  EXPECT_EQ(tap_.stores[1].mark, format::Mark::Final);
}

TEST_F(JournalTap, HasALateMarkAndItsConfirmation) {
  support::RecordingDisk disk(1);
  const auto journal = open(vouched_segments(Durability::Group, disk));
  journal::LateMarks late(4);
  journal->set_late_marks(&late);
  const Position first = receive(*journal);
  const Position second = receive(*journal);
  journal->set_tap(&tap_, 1);
  journal->mark_processed(first);
  static_cast<void>(journal->settle_marks());
  journal->mark_processed(second);
  late.confirm(1);
  ASSERT_EQ(tap_.stores.size(), 3U);
  EXPECT_EQ(tap_.stores[0].mark, format::Mark::Ordered);
  EXPECT_EQ(tap_.stores[1].mark, format::Mark::Late);
  EXPECT_EQ(tap_.stores[2].mark, format::Mark::Final);
  EXPECT_EQ(tap_.stores[2].at, second);
}

// With `sync` too, where numbers need no reserve to survive a power loss of this machine.
TEST_F(JournalTap, HasTheReserveBeforeARecordThatNeedsIt) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    make_empty_directory();
    journal::Options with = options();
    with.durability = durability;
    with.sequence_reserve = 10;
    const auto journal = open(with);
    tap_.stores.clear();
    journal->set_tap(&tap_, 1);
    std::uint64_t reserved = journal->reserved_outgoing();
    EXPECT_EQ(reserved, 11U);
    send(*journal, 1, 200);
    std::uint64_t sent = 0;
    std::uint64_t told = 0;
    for (const Store& store : tap_.stores) {
      if (store.what == What::Reserve) {
        EXPECT_GT(store.reserved, reserved);
        reserved = store.reserved;
        ++told;
      } else {
        ++sent;
        EXPECT_LE(sent + 1, reserved) << "a number beyond the reserve that the tap knows";
      }
    }
    EXPECT_EQ(sent, 200U);
    EXPECT_GT(told, 0U);
    EXPECT_EQ(journal->reserved_outgoing(), reserved);
  }
}

TEST_F(JournalTap, IsOfNoUseInMemory) {
  journal::Options with = options();
  with.durability = Durability::Memory;
  const auto journal = open(with);
  journal->set_tap(&tap_, 1);
  send(*journal, 1, 2);
  EXPECT_TRUE(tap_.stores.empty());
}

class JournalEpoch : public JournalTest {};

TEST_F(JournalEpoch, IsARecordThatKeepsTheNumbers) {
  const auto journal = open();
  EXPECT_EQ(journal->epoch(), 0U);
  EXPECT_FALSE(journal->epoch_position().valid());
  send(*journal, 1, 3);
  receive(*journal);
  const Position at = journal->end();
  ASSERT_EQ(journal->append_epoch(4, start_ns, "london-1"), AppendResult::Appended);
  EXPECT_EQ(journal->epoch(), 4U);
  EXPECT_EQ(journal->epoch_position(), at);
  EXPECT_EQ(journal->next_outgoing(), 4U);
  EXPECT_EQ(journal->next_expected(), 2U);
  const Contents contents = read_all();
  EXPECT_EQ(contents.rows.back().record.event, EventType::Epoch);
  EXPECT_EQ(contents.rows.back().bytes, "epoch 4, node london-1");
  EXPECT_STREQ(to_text(contents.rows.back().record.event), "epoch");
}

TEST_F(JournalEpoch, IsOnlyFollowedByAGreaterOne) {
  const auto journal = open();
  EXPECT_EQ(journal->append_epoch(0, start_ns, "a"), AppendResult::OutOfOrder);
  ASSERT_EQ(journal->append_epoch(2, start_ns, "a"), AppendResult::Appended);
  EXPECT_EQ(journal->append_epoch(2, start_ns, "a"), AppendResult::OutOfOrder);
  EXPECT_EQ(journal->append_epoch(1, start_ns, "a"), AppendResult::OutOfOrder);
  EXPECT_EQ(journal->append_epoch(UINT64_MAX, start_ns, "a"), AppendResult::Appended);
}

TEST_F(JournalEpoch, IsFoundByOpeningInItsSegmentAndInLaterOnes) {
  auto journal = open(small_segments());
  send(*journal, 1, 3);
  ASSERT_EQ(journal->append_epoch(3, start_ns, "a"), AppendResult::Appended);
  const Position at = journal->epoch_position();
  for (const std::uint32_t segment : {1U, 2U, 5U}) {
    go_on_to(*journal, segment);
    journal->abandon();
    journal.reset();
    journal = open(small_segments());
    EXPECT_EQ(journal->epoch(), 3U);
    EXPECT_EQ(journal->epoch_position(), at);
  }
}

std::optional<std::uint64_t> epoch_in(EventType event, std::string_view text) {
  journal::Record record;
  record.kind = journal::Kind::Event;
  record.event = event;
  record.bytes = text;
  return journal::epoch_of(record);
}

TEST_F(JournalEpoch, OfATextWithoutANumberIsNone) {
  EXPECT_EQ(epoch_in(EventType::Epoch, "epoch x"), std::nullopt);
  EXPECT_EQ(epoch_in(EventType::Epoch, ""), std::nullopt);
  EXPECT_EQ(epoch_in(EventType::Epoch, "epoch 99999999999999999999, node a"), std::nullopt);
  EXPECT_EQ(epoch_in(EventType::Remark, "epoch 3, node a"), std::nullopt);
  EXPECT_EQ(epoch_in(EventType::Epoch, "epoch 12, node a"), 12U);
}

}  // namespace
}  // namespace affix::journal_test
