// SPDX-License-Identifier: MIT
// A copy of a journal: what it accepts and refuses, what it knows afterwards, and how it leads.
#include "affix/journal/late_marks.hpp"

#include "journal/segment.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/copy_fixture.hpp"

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::EventType;
using journal::Followed;
using journal::Journal;
using journal::JournalRole;
using journal::MarkTrust;
using journal::Position;
using support::RecordingDisk;

class JournalFollowing : public JournalTest {
 protected:
  [[nodiscard]] std::string place(const std::string& name) const {
    return directory() + "/" + name;
  }

  [[nodiscard]] journal::Options placed(const std::string& name, JournalRole role) const {
    journal::Options with = small_segments();
    with.directory = place(name);
    with.durability = durability_;
    with.mark_trust = trust_;
    with.sequence_reserve = reserve_;
    with.role = role;
    return with;
  }

  /// A writer with a tap, and its copy.
  void begin() {
    make_empty_directory();
    tap_.stores.clear();
    copy_.reset();
    writer_.reset();
    writer_ = open(placed("writer", JournalRole::Writer));
    ASSERT_NE(writer_, nullptr);
    writer_->set_tap(&tap_, 1);
    const auto planted =
        journal::plant(placed("copy", JournalRole::Copy), oldest_header(place("writer")));
    ASSERT_TRUE(planted) << planted.error().text();
    open_copy();
  }

  void open_copy() {
    copy_.reset();
    copy_ = open(copy_options());
    ASSERT_NE(copy_, nullptr);
  }

  [[nodiscard]] journal::Options copy_options() {
    journal::Options with = placed("copy", JournalRole::Copy);
    with.disk = &disk_;
    return with;
  }

  /// The store that a tap was told last.
  [[nodiscard]] const Store& last() const { return tap_.stores.back(); }

  Durability durability_ = Durability::Process;
  MarkTrust trust_ = MarkTrust::Stored;
  std::uint64_t reserve_ = 0;
  QueueTap tap_;
  RecordingDisk disk_{1};
  std::unique_ptr<Journal> writer_;
  std::unique_ptr<Journal> copy_;
};

TEST_F(JournalFollowing, NeedsAJournalThatWasPlanted) {
  const auto missing = refusal(placed("copy", JournalRole::Copy));
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->code, base::ErrorCode::NotFound);
  EXPECT_EQ(missing->message_code, base::MessageCode("J224"));
  EXPECT_FALSE(std::filesystem::exists(place("copy"))) << "an error changes nothing on the disk";
  std::filesystem::create_directories(place("copy"));
  const auto empty = refusal(placed("copy", JournalRole::Copy));
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->code, base::ErrorCode::NotFound);
}

TEST_F(JournalFollowing, IsRefusedInMemory) {
  journal::Options with = placed("copy", JournalRole::Copy);
  with.durability = Durability::Memory;
  const auto refused = refusal(with);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, base::ErrorCode::InvalidArgument);
}

TEST_F(JournalFollowing, MakesAllStoresOfTheWriter) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    send(*writer_, 1, 30, 400);
    const Position first = receive(*writer_);
    receive(*writer_);
    ASSERT_EQ(writer_->append_queued(31, start_ns, "queued"), AppendResult::Appended);
    ASSERT_EQ(writer_->append_event(EventType::NumbersSet, 20, 3, start_ns, "lower"),
              AppendResult::Appended);
    ASSERT_EQ(writer_->append_queued(20, start_ns, "queued"), AppendResult::Appended);
    send(*writer_, 21, 80, 300);
    writer_->mark_processed(first);
    ASSERT_EQ(writer_->append_epoch(9, start_ns, "a"), AppendResult::Appended);
    ASSERT_GE(writer_->end().segment, 3U);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    expect_same_standing(*copy_, *writer_);
    ASSERT_TRUE(writer_->flush());
    ASSERT_TRUE(copy_->flush());
    expect_same_history(place("copy"), place("writer"));
    EXPECT_EQ(copy_->queued().last, 20U);
    EXPECT_EQ(copy_->epoch(), 9U);
  }
}

TEST_F(JournalFollowing, RefusesToAppend) {
  ASSERT_NO_FATAL_FAILURE(begin());
  EXPECT_TRUE(copy_->is_copy());
  EXPECT_FALSE(copy_->failed());
  EXPECT_EQ(copy_->append_sent(1, start_ns, "x"), AppendResult::Following);
  EXPECT_EQ(copy_->append_event(EventType::Remark, 0, 0, start_ns, "x"), AppendResult::Following);
  EXPECT_EQ(copy_->append_epoch(1, start_ns, "x"), AppendResult::Following);
  EXPECT_EQ(copy_->end(), (Position{1, format::records_offset}));
}

TEST_F(JournalFollowing, TakesNoMarksOfTheApplication) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const Position at = receive(*writer_);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  copy_->mark_processed(at);
  EXPECT_FALSE(copy_->finish(at));
  EXPECT_EQ(copy_->unprocessed_count(), 1U);
}

TEST_F(JournalFollowing, AcceptsARecordOnlyWhereItEnds) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 3);
  const Store second = tap_.stores[1];
  EXPECT_EQ(follow(*copy_, second), Followed::WrongPlace);
  ASSERT_EQ(follow(*copy_, tap_.stores[0]), Followed::Stored);
  EXPECT_EQ(follow(*copy_, tap_.stores[0]), Followed::AlreadyThere);
  EXPECT_EQ(follow(*copy_, tap_.stores[2]), Followed::WrongPlace);
  ASSERT_EQ(follow(*copy_, second), Followed::Stored);
  EXPECT_EQ(copy_->next_outgoing(), 3U);
}

TEST_F(JournalFollowing, RefusesEveryChangedByte) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 1, 50);
  const Store& store = last();
  std::uint32_t length = 0;
  std::memcpy(&length, store.record.data(), sizeof(length));
  for (std::size_t at = 0; at < store.record.size(); ++at) {
    std::string changed = store.record;
    changed[at] = static_cast<char>(changed[at] ^ 0x44);
    EXPECT_EQ(copy_->follow_record(store.at, changed), Followed::Damaged) << at;
  }
  for (std::size_t bytes = 0; bytes < store.record.size(); ++bytes) {
    EXPECT_EQ(copy_->follow_record(store.at, store.record.substr(0, bytes)), Followed::Damaged);
  }
  EXPECT_EQ(copy_->follow_record(store.at, store.record + std::string(8, '\0')), Followed::Damaged);
  EXPECT_EQ(copy_->follow_record({1, 8}, store.record), Followed::Damaged);
  EXPECT_EQ(copy_->follow_record({}, store.record), Followed::Damaged);
  EXPECT_EQ(copy_->follow_record(store.at, store.record), Followed::Stored);
}

TEST_F(JournalFollowing, RefusesAnotherRecordInAPlaceThatItHas) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 2, 100);
  const std::deque<Store> stores = tap_.stores;
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  // Another writer that had the same begin.
  std::filesystem::rename(place("copy"), place("kept"));
  ASSERT_TRUE(journal::plant(placed("copy", JournalRole::Copy), oldest_header(place("writer"))));
  const auto other = open(placed("copy", JournalRole::Copy));
  ASSERT_TRUE(other->lead());
  QueueTap tap;
  other->set_tap(&tap, 1);
  ASSERT_EQ(other->append_sent(1, start_ns + 5, message_of(7, 100)), AppendResult::Appended);
  ASSERT_EQ(tap.stores.front().record.size(), stores.front().record.size());
  EXPECT_EQ(follow(*copy_, tap.stores.front()), Followed::WrongPlace);
  EXPECT_EQ(copy_->next_outgoing(), 3U);
}

TEST_F(JournalFollowing, BeginsASegmentWithTheWritersHeaderAndSize) {
  ASSERT_NO_FATAL_FAILURE(begin());
  while (writer_->end().segment < 3) {
    send(*writer_, writer_->next_outgoing(), writer_->next_outgoing(), 900);
  }
  for (const Store& store : tap_.stores) {
    if (store.what == Store::What::Segment) {
      ASSERT_TRUE(copy_->prepare());
      format::Header changed = store.header;
      changed.next_outgoing += 1;
      EXPECT_EQ(copy_->follow_segment(changed), Followed::Damaged);
    }
    ASSERT_EQ(follow(*copy_, store), Followed::Stored);
    if (store.what == Store::What::Segment) {
      EXPECT_EQ(follow(*copy_, store), Followed::AlreadyThere);
      EXPECT_EQ(copy_->end(), (Position{store.header.segment_number, format::records_offset}));
    }
  }
  expect_same_history(place("copy"), place("writer"));
  for (const std::uint32_t number : {1U, 2U, 3U}) {
    const std::string name = "/000000000" + std::to_string(number) + ".journal";
    const std::string one = read_file(place("writer") + name);
    const std::string other = read_file(place("copy") + name);
    ASSERT_EQ(one.size(), other.size());
    EXPECT_EQ(one.substr(format::left_offset, 8), other.substr(format::left_offset, 8));
    EXPECT_EQ(one.substr(format::records_offset), other.substr(format::records_offset));
  }
}

// The writer's first segment after a long message is larger than what the copy prepared.
TEST_F(JournalFollowing, MakesASegmentOfAnotherSizeAtOnce) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 5, 500);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  journal::Options large = placed("writer", JournalRole::Writer);
  large.max_segment_bytes = 256 * 1024;
  writer_->abandon();
  writer_.reset();
  writer_ = open(large);
  writer_->set_tap(&tap_, 1);
  ASSERT_TRUE(copy_->prepare());
  send(*writer_, 6, 6, 100'000);
  EXPECT_EQ(writer_->end().segment, 2U);
  const std::uint64_t stalls = copy_->stalls();
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  EXPECT_EQ(copy_->stalls(), stalls + 1);
  expect_same_standing(*copy_, *writer_);
  EXPECT_EQ(std::filesystem::file_size(place("copy") + "/0000000002.journal"),
            std::filesystem::file_size(place("writer") + "/0000000002.journal"));
  ASSERT_TRUE(copy_->prepare());
}

TEST_F(JournalFollowing, ReportsAFullDiskAndGoesOn) {
  ASSERT_NO_FATAL_FAILURE(begin());
  while (writer_->end().segment < 2) {
    send(*writer_, writer_->next_outgoing(), writer_->next_outgoing(), 900);
  }
  bool full = true;
  disk_.fault = [&full](RecordingDisk::Call call, const std::string&) {
    return full && call == RecordingDisk::Call::Allocate ? ENOSPC : 0;
  };
  for (const Store& store : tap_.stores) {
    if (store.what == Store::What::Segment) {
      EXPECT_EQ(follow(*copy_, store), Followed::NoSpace);
      EXPECT_EQ(follow(*copy_, store), Followed::NoSpace);
      full = false;
    }
    ASSERT_EQ(follow(*copy_, store), Followed::Stored);
  }
  expect_same_standing(*copy_, *writer_);
}

TEST_F(JournalFollowing, StopsBetweenASegmentAndItsFirstRecord) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    while (writer_->end().segment < 2) {
      send(*writer_, writer_->next_outgoing(), writer_->next_outgoing(), 900);
    }
    const Store record = last();
    tap_.stores.pop_back();
    ASSERT_EQ(last().what, Store::What::Segment);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    for (const bool closes : {false, true}) {
      if (closes) {
        ASSERT_TRUE(copy_->close());
      } else {
        copy_->abandon();
      }
      ASSERT_NO_FATAL_FAILURE(open_copy());
      EXPECT_EQ(copy_->end(), record.at);
    }
    EXPECT_EQ(follow(*copy_, record), Followed::Stored);
    expect_same_standing(*copy_, *writer_);
  }
}

TEST_F(JournalFollowing, TakesAMarkBackWhereTheWriterHasNone) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    const Position first = receive(*writer_);
    const Position second = receive(*writer_);
    const Store record = tap_.stores[0];
    go_on_to(*writer_, 4);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    ASSERT_TRUE(copy_->flush());
    // In a segment that is not mapped any more.
    EXPECT_EQ(copy_->follow_mark(first, format::Mark::Final), Followed::Stored);
    EXPECT_EQ(copy_->follow_mark(first, format::Mark::Final), Followed::AlreadyThere);
    EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{second});
    EXPECT_EQ(follow(*copy_, record), Followed::AlreadyThere);
    EXPECT_EQ(copy_->unprocessed_positions(), (std::vector<Position>{first, second}));
    EXPECT_EQ(copy_->oldest_unprocessed(), first);
    copy_->abandon();
    ASSERT_NO_FATAL_FAILURE(open_copy());
    EXPECT_EQ(copy_->unprocessed_positions(), (std::vector<Position>{first, second}));
    EXPECT_EQ(copy_->unprocessed_count(), 2U);
  }
}

// The checkpoint of the segment in use was stored when the record was processed.
TEST_F(JournalFollowing, FindsAMarkThatWasTakenBackAfterItsSegmentWasLeft) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    const Position first = receive(*writer_);
    writer_->mark_processed(first);
    go_on_to(*writer_, 4);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    ASSERT_EQ(copy_->unprocessed_count(), 0U);
    ASSERT_EQ(copy_->follow_unprocessed(std::vector<Position>{first}), Followed::Stored);
    for (const bool closes : {false, true}) {
      EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{first});
      if (closes) {
        ASSERT_TRUE(copy_->close());
      } else {
        copy_->abandon();
      }
      ASSERT_NO_FATAL_FAILURE(open_copy());
    }
    EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{first});
    EXPECT_EQ(copy_->unprocessed_count(), 1U);
  }
}

// History shows a record as it was when it was read, and later headers as they were written then.
TEST_F(JournalFollowing, MarksWhatALaterHeaderSaysWasProcessed) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    const Position first = receive(*writer_);
    const Position second = receive(*writer_);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    writer_->mark_processed(first);
    go_on_to(*writer_, 2);
    const Position third = receive(*writer_);
    writer_->mark_processed(second);
    go_on_to(*writer_, 4);
    std::erase_if(tap_.stores, [](const Store& store) { return store.what == Store::What::Mark; });
    while (last().what != Store::What::Segment || last().header.segment_number != 4) {
      tap_.stores.pop_back();
    }
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{third});
    copy_->abandon();
    ASSERT_NO_FATAL_FAILURE(open_copy());
    EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{third});
    writer_->mark_processed(third);
    ASSERT_EQ(catch_up(*copy_, place("writer"), copy_->end()), journal::HistoryPiece::State::AtEnd);
    ASSERT_EQ(copy_->follow_unprocessed({}), Followed::Stored);
    ASSERT_TRUE(writer_->flush());
    ASSERT_TRUE(copy_->flush());
    expect_same_history(place("copy"), place("writer"));
  }
}

// A power loss took a mark that was not needed any more, and the present writer's checkpoint lies
// before that record: its own marks there are late.
TEST_F(JournalFollowing, KeepsRecordsProcessedThatAnEarlierCheckpointShowsAgain) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const Position first = receive(*writer_);
  writer_->mark_processed(first);
  go_on_to(*writer_, 4);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  copy_->abandon();
  copy_.reset();
  const std::string path = place("copy") + "/0000000001.journal";
  std::string bytes = read_file(path);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + first.offset, sizeof(length));
  bytes[first.offset + length] = 0;
  write_file(path, bytes);
  ASSERT_NO_FATAL_FAILURE(open_copy());
  ASSERT_EQ(copy_->unprocessed_count(), 0U);
  go_on_to(*writer_, 5);
  for (Store& store : tap_.stores) {
    if (store.what == Store::What::Segment) {
      store.header.unprocessed = packed(first);
      store.header.crc = journal::header_crc(store.header);
    }
  }
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  copy_->abandon();
  ASSERT_NO_FATAL_FAILURE(open_copy());
  EXPECT_EQ(copy_->unprocessed_count(), 0U);
}

TEST_F(JournalFollowing, RefusesAMarkOfWhatIsNoReceivedRecord) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 1);
  const Position sent = last().at;
  const Position received = receive(*writer_);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  EXPECT_EQ(copy_->follow_mark(sent, format::Mark::Final), Followed::WrongPlace);
  EXPECT_EQ(copy_->follow_mark(copy_->end(), format::Mark::Final), Followed::WrongPlace);
  EXPECT_EQ(copy_->follow_mark({1, received.offset + 8}, format::Mark::Final),
            Followed::WrongPlace);
  EXPECT_EQ(copy_->follow_mark({7, 4096}, format::Mark::Final), Followed::WrongPlace);
  EXPECT_EQ(copy_->follow_mark(received, static_cast<format::Mark>(4)), Followed::Damaged);
  EXPECT_EQ(copy_->follow_mark(received, format::Mark::None), Followed::AlreadyThere);
}

TEST_F(JournalFollowing, AgreesAboutWhatIsUnprocessed) {
  ASSERT_NO_FATAL_FAILURE(begin());
  std::vector<Position> positions;
  for (int count = 0; count < 60; ++count) {
    positions.push_back(receive(*writer_, journal::Delivery::Application, 700));
  }
  ASSERT_GE(writer_->end().segment, 4U);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  // The writer marks some, the copy is told of others.
  for (std::size_t at = 0; at < positions.size(); ++at) {
    if (at % 3 != 0) {
      writer_->mark_processed(positions[at]);
    }
    if (at % 4 == 0) {
      ASSERT_EQ(copy_->follow_mark(positions[at], format::Mark::Final), Followed::Stored);
    }
  }
  EXPECT_EQ(copy_->follow_unprocessed(writer_->unprocessed_positions()), Followed::Stored);
  EXPECT_EQ(copy_->unprocessed_positions(), writer_->unprocessed_positions());
  EXPECT_EQ(copy_->unprocessed_count(), writer_->unprocessed_count());
  EXPECT_EQ(copy_->follow_unprocessed(writer_->unprocessed_positions()), Followed::AlreadyThere);
  EXPECT_EQ(copy_->follow_unprocessed({}), Followed::Stored);
  EXPECT_EQ(copy_->unprocessed_count(), 0U);
  const std::vector<Position> wrong{{2, 4104}};
  EXPECT_EQ(copy_->follow_unprocessed(wrong), Followed::WrongPlace);
  EXPECT_EQ(copy_->unprocessed_count(), 0U);
}

TEST_F(JournalFollowing, KeepsAMarkAfterAPowerLossOnlyIfItIsVouchedForHere) {
  durability_ = Durability::Group;
  trust_ = MarkTrust::Vouched;
  for (const bool vouches : {false, true}) {
    disk_.forget();
    ASSERT_NO_FATAL_FAILURE(begin());
    copy_->abandon();
    copy_.reset();
    std::filesystem::remove_all(place("copy"));
    journal::Options with = copy_options();
    ASSERT_TRUE(journal::plant(with, oldest_header(place("writer"))));
    ASSERT_NO_FATAL_FAILURE(open_copy());
    const Position first = receive(*writer_);
    writer_->mark_processed(first);
    ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    if (vouches) {
      ASSERT_NO_FATAL_FAILURE(vouch_for_all(*copy_));
      receive(*writer_);
      ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
    }
    ASSERT_TRUE(copy_->close());
    disk_.write_back_everything();
    copy_.reset();
    disk_.restart(place("copy"));
    ASSERT_NO_FATAL_FAILURE(open_copy());
    EXPECT_EQ(copy_->unprocessed_count(), 1U) << vouches;
    EXPECT_EQ(copy_->unprocessed_positions().front() == first, !vouches);
  }
}

// A copy vouches for records up to its oldest unprocessed one, so no mark comes too late for
// that.
TEST_F(JournalFollowing, SettlesMarksBeforeItsOldestUnprocessedRecord) {
  durability_ = Durability::Group;
  trust_ = MarkTrust::Vouched;
  ASSERT_NO_FATAL_FAILURE(begin());
  copy_->abandon();
  copy_.reset();
  std::filesystem::remove_all(place("copy"));
  ASSERT_TRUE(journal::plant(copy_options(), oldest_header(place("writer"))));
  ASSERT_NO_FATAL_FAILURE(open_copy());
  std::vector<Position> at;
  for (int count = 0; count < 4; ++count) {
    at.push_back(receive(*writer_));
  }
  writer_->mark_processed(at[0]);
  writer_->mark_processed(at[2]);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  EXPECT_EQ(copy_->settle_followed().before, at[1]);
  writer_->mark_processed(at[1]);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  const journal::SettledMarks settled = copy_->settle_followed();
  EXPECT_EQ(settled.before, at[3]);
  EXPECT_TRUE(settled.changed);
  EXPECT_EQ(settled.late, 0U);
  ASSERT_TRUE(copy_->flush());
  copy_->vouch_for_marks(settled);
  writer_->mark_processed(at[3]);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  ASSERT_TRUE(copy_->close());
  disk_.write_back_everything();
  copy_.reset();
  disk_.restart(place("copy"));
  ASSERT_NO_FATAL_FAILURE(open_copy());
  EXPECT_EQ(copy_->unprocessed_positions(), std::vector<Position>{at[3]});
}

TEST_F(JournalFollowing, StoresTheReserveForTheNextLeader) {
  reserve_ = 10;
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    ASSERT_NO_FATAL_FAILURE(begin());
    EXPECT_EQ(copy_->reserved_outgoing(), 0U);
    EXPECT_EQ(copy_->follow_reserve(500), Followed::Stored);
    EXPECT_EQ(copy_->follow_reserve(400), Followed::AlreadyThere);
    EXPECT_EQ(copy_->follow_reserve(500), Followed::AlreadyThere);
    EXPECT_EQ(copy_->reserved_outgoing(), 500U);
    EXPECT_TRUE(copy_->needs_preparation() || copy_->needs_flush());
    ASSERT_TRUE(copy_->prepare());
    ASSERT_TRUE(copy_->flush());
    copy_->abandon();
    ASSERT_NO_FATAL_FAILURE(open_copy());
    EXPECT_EQ(copy_->reserved_outgoing(), 500U);
    ASSERT_TRUE(copy_->close());
    ASSERT_NO_FATAL_FAILURE(open_copy());
    EXPECT_EQ(copy_->reserved_outgoing(), 500U);
    ASSERT_TRUE(copy_->lead());
    ASSERT_EQ(copy_->append_epoch(2, start_ns, "b"), AppendResult::Appended);
    ASSERT_TRUE(copy_->skip_to_reserve());
    EXPECT_EQ(copy_->next_outgoing(), 500U);
    copy_->set_tap(&tap_, 2);
    send(*copy_, 500, 540);
    EXPECT_GE(copy_->reserved_outgoing(), copy_->next_outgoing());
    copy_->set_tap(nullptr, 0);
  }
}

TEST_F(JournalFollowing, LeadsFromItsLastRecord) {
  reserve_ = 100;
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 5);
  const Position unprocessed = receive(*writer_);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  ASSERT_EQ(copy_->follow_reserve(writer_->reserved_outgoing()), Followed::Stored);
  ASSERT_TRUE(copy_->lead());
  EXPECT_FALSE(copy_->is_copy());
  EXPECT_EQ(copy_->recovered().next_outgoing, 6U);
  EXPECT_EQ(copy_->recovered().next_expected, 2U);
  EXPECT_EQ(copy_->recovered().unprocessed, 1U);
  EXPECT_EQ(copy_->recovered().last_utc_ns, start_ns);
  EXPECT_FALSE(copy_->lead());
  send(*copy_, 6, 7);
  copy_->mark_processed(unprocessed);
  EXPECT_EQ(copy_->unprocessed_count(), 0U);
  EXPECT_EQ(numbers_of(copy_->replay(1, 10)), range(1, 7));
  copy_->follow();
  EXPECT_EQ(copy_->append_sent(8, start_ns, "x"), AppendResult::Following);
  copy_->abandon();
  copy_.reset();
  // Any journal now.
  journal::Options with = copy_options();
  with.role = JournalRole::Writer;
  const auto again = open(with);
  EXPECT_EQ(again->next_outgoing(), 8U);
  EXPECT_EQ(again->recovered().skipped_from, 0U);
}

TEST_F(JournalFollowing, CannotSkipWithoutAReserve) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_TRUE(copy_->lead());
  const auto skipped = copy_->skip_to_reserve();
  ASSERT_FALSE(skipped);
  EXPECT_EQ(skipped.error().code, base::ErrorCode::Damaged);
}

TEST_F(JournalFollowing, OpensAfterAPowerLossWithoutAnEventWhateverTheOptionsSay) {
  durability_ = Durability::Group;
  ASSERT_NO_FATAL_FAILURE(begin());
  copy_->abandon();
  copy_.reset();
  std::filesystem::remove_all(place("copy"));
  ASSERT_TRUE(journal::plant(copy_options(), oldest_header(place("writer"))));
  ASSERT_NO_FATAL_FAILURE(open_copy());
  send(*writer_, 1, 9);
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  ASSERT_TRUE(copy_->flush());
  const Position end = copy_->end();
  copy_->abandon();
  copy_.reset();
  disk_.restart(place("copy"));
  journal::Options with = copy_options();
  with.after_power_loss = journal::AfterPowerLoss::Refuse;
  const auto opened = Journal::open(with);
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_EQ((*opened)->end(), end);
  EXPECT_EQ((*opened)->next_outgoing(), 10U);
  EXPECT_TRUE((*opened)->recovered().other_boot);
  ASSERT_TRUE((*opened)->lead());
  ASSERT_EQ((*opened)->append_sent(10, start_ns, "x"), AppendResult::Appended);
  (*opened)->abandon();
}

TEST_F(JournalFollowing, FollowsOnlyWhileItIsACopy) {
  ASSERT_NO_FATAL_FAILURE(begin());
  send(*writer_, 1, 1);
  ASSERT_TRUE(copy_->lead());
  EXPECT_EQ(follow(*copy_, last()), Followed::Failed);
  copy_->follow();
  EXPECT_EQ(follow(*copy_, last()), Followed::Stored);
  ASSERT_TRUE(copy_->close());
  EXPECT_EQ(follow(*copy_, last()), Followed::Failed);
}

TEST_F(JournalFollowing, FollowsNumbersWithoutMessages) {
  make_empty_directory();
  journal::Options with = placed("writer", JournalRole::Writer);
  with.max_segment_bytes = 0;
  writer_ = open(with);
  writer_->set_tap(&tap_, 1);
  journal::Options copied = placed("copy", JournalRole::Copy);
  copied.max_segment_bytes = 0;
  ASSERT_TRUE(journal::plant(copied, oldest_header(place("writer"))));
  copy_ = open(copied);
  while (writer_->end().segment < 3) {
    send(*writer_, writer_->next_outgoing(), writer_->next_outgoing());
    receive(*writer_);
    ASSERT_TRUE(writer_->prepare());
  }
  ASSERT_NO_FATAL_FAILURE(follow_all(*copy_, tap_));
  ASSERT_TRUE(copy_->prepare());
  expect_same_standing(*copy_, *writer_);
}

}  // namespace
}  // namespace affix::journal_test
