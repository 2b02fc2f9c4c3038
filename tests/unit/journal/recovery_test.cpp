// SPDX-License-Identifier: MIT
// States left by a crash, a power loss and manual changes: cut, continued, or refused.
#include "affix/journal/journal.hpp"

#include "support/has_message.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>
#include <limits>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::EventType;
using journal::Journal;
using journal::Kind;
using support::has_message;

constexpr std::size_t message_bytes = 100;
constexpr std::size_t record_bytes = format::record_bytes(message_bytes);

constexpr std::size_t offset_of(std::uint64_t sequence) {
  return format::records_offset + static_cast<std::size_t>(sequence - 1) * record_bytes;
}

class JournalRecovery : public JournalTest {
 protected:
  // Segment 1 with sent messages 1 to `count`, each of `record_bytes`, and a reserve.
  void fill(std::uint64_t count, bool clean = false) {
    journal::Options with = reserving();
    with.sync_on_close = clean;
    const auto journal = open(with);
    send(*journal, 1, count, message_bytes);
    if (clean) {
      ASSERT_TRUE(journal->close());
    }
  }

  [[nodiscard]] journal::Options reserving(std::size_t max_segment_bytes = 0) const {
    journal::Options with = max_segment_bytes == 0 ? options() : small_segments(max_segment_bytes);
    with.sequence_reserve = 1'000;
    return with;
  }

  template <typename Change>
  void change_bytes(std::uint32_t number, Change change) {
    std::string bytes = read_file(segment_file(number));
    change(bytes);
    write_file(segment_file(number), bytes);
  }

  // Opening finds this damage, with these values in its text, and leaves the file unchanged.
  void expect_refused(base::MessageCode damage,
                      std::initializer_list<std::string_view> values = {}) {
    const std::string before = read_file(segment_file(1));
    const auto error = refusal(reserving());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, base::ErrorCode::Damaged) << error->text();
    EXPECT_TRUE(has_message(error->text(), damage, values));
    EXPECT_EQ(read_file(segment_file(1)), before);
  }
};

TEST_F(JournalRecovery, RecordCutShortAtAnyByteBeforeItsCommitIsTakenAway) {
  fill(4);
  const std::string before = read_file(segment_file(1));
  {
    send(*open(), 5, 5, message_bytes);
  }
  const std::string whole = read_file(segment_file(1));
  const std::size_t begin = offset_of(5);
  // A killed writer stores from front to back, length and CRC last: the end mark of the records is
  // still at their place.
  for (std::size_t kept = format::end_mark_bytes; kept <= record_bytes; ++kept) {
    SCOPED_TRACE(kept);
    make_empty_directory();
    std::string bytes = before;
    bytes.replace(begin + format::end_mark_bytes, kept - format::end_mark_bytes, whole,
                  begin + format::end_mark_bytes, kept - format::end_mark_bytes);
    write_file(segment_file(1), bytes);
    const auto journal = open();
    ASSERT_TRUE(journal);
    ASSERT_EQ(journal->next_outgoing(), 5U);
    ASSERT_EQ(journal->recovered().skipped_from, 0U) << "never committed, so never sent";
    std::string left = kept == format::end_mark_bytes ? std::string() : bytes.substr(begin);
    left.erase(left.find_last_not_of('\0') + 1);
    ASSERT_EQ(journal->recovered().cut_bytes, left.size());
    if (!left.empty()) {
      ASSERT_EQ(read_file(journal->recovered().cut_file), left);
    }
    send(*journal, 5, 6, message_bytes);
    ASSERT_EQ(numbers_of(journal->replay(1, 10)), range(1, 6));
  }
}

TEST_F(JournalRecovery, LastRecordWhoseLengthAloneIsGoneIsThereAgain) {
  fill(5);
  change_bytes(1, [](std::string& bytes) { bytes.replace(offset_of(5), 4, 4, '\0'); });
  const auto journal = open(reserving());
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->next_outgoing(), 6U);
  EXPECT_EQ(journal->recovered().skipped_from, 0U);
  EXPECT_EQ(journal->recovered().cut_bytes, 0U);
  EXPECT_EQ(numbers_of(journal->replay(1, 10)), range(1, 5));
}

// The length is stored last, so all other bytes are there before it.
TEST_F(JournalRecovery, LastRecordWithoutItsLengthAndWithAFlippedBitIsRefused) {
  fill(5);
  const std::string whole = read_file(segment_file(1));
  const std::size_t begin = offset_of(5);
  for (std::size_t at = begin + 4; at < begin + format::record_header_bytes + message_bytes; ++at) {
    SCOPED_TRACE(at - begin);
    std::string bytes = whole;
    bytes.replace(begin, 4, 4, '\0');
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    write_file(segment_file(1), bytes);
    expect_refused("J208", {std::to_string(begin)});
  }
}

TEST_F(JournalRecovery, LastRecordsThatAreZerosAreRefused) {
  fill(5);
  const std::string whole = read_file(segment_file(1));
  for (std::uint64_t first = 1; first <= 5; ++first) {
    SCOPED_TRACE(first);
    write_file(segment_file(1), whole);
    change_bytes(1, [&](std::string& bytes) {
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(offset_of(first)), bytes.end(), '\0');
    });
    expect_refused("J208", {std::to_string(offset_of(first))});
  }
}

TEST_F(JournalRecovery, FileCutShortAtAnyByteOfTheLastRecordIsRefusedUnlessThePowerWent) {
  fill(5);
  const std::string whole = read_file(segment_file(1));
  for (std::size_t kept = offset_of(5); kept < offset_of(6); ++kept) {
    SCOPED_TRACE(kept);
    make_empty_directory();
    write_file(segment_file(1), whole.substr(0, kept));
    expect_refused("J211");
    restart_machine(1);
    const auto journal = open(reserving());
    ASSERT_TRUE(journal);
    // Number 5 may have been seen by the peer, so it must not be used for anything else.
    ASSERT_EQ(journal->next_outgoing(), 1'001U);
    ASSERT_EQ(journal->recovered().next_outgoing, 1'001U);
    ASSERT_EQ(journal->recovered().skipped_from, 5U);
    ASSERT_EQ(std::filesystem::file_size(segment_file(1)), whole.size());
    send(*journal, 1'001, 1'002);
    std::vector<std::uint64_t> expected = range(1, 4);
    expected.insert(expected.end(), {1'001, 1'002});
    ASSERT_EQ(numbers_of(journal->replay(1, 2'000)), expected);
  }
}

TEST_F(JournalRecovery, FlippedBitInTheLastRecordIsRefusedUnlessThePowerWent) {
  fill(5);
  const std::string whole = read_file(segment_file(1));
  // Every byte except the processed mark and the padding after it.
  for (std::size_t at = offset_of(5);
       at < offset_of(5) + format::record_header_bytes + message_bytes; ++at) {
    SCOPED_TRACE(at - offset_of(5));
    make_empty_directory();
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    write_file(segment_file(1), bytes);
    expect_refused("J208");
    restart_machine(1);
    const auto journal = open(reserving());
    ASSERT_TRUE(journal);
    ASSERT_EQ(journal->recovered().skipped_from, 5U);
    ASSERT_EQ(journal->next_outgoing(), 1'001U);
    ASSERT_GT(journal->recovered().cut_bytes, 0U);
    ASSERT_EQ(read_all().rows.back().record.kind, Kind::Event);
  }
}

TEST_F(JournalRecovery, NewestHeaderOfZerosIsRefusedWhateverIsBeforeIt) {
  journal::Options with = reserving(8 * 1024);
  for (const std::uint64_t count : {5U, 120U}) {
    SCOPED_TRACE(count);
    std::filesystem::remove_all(directory());
    std::uint32_t newest = 0;
    {
      const auto journal = open(with);
      send(*journal, 1, count, message_bytes);
      newest = journal->end().segment;
    }
    const std::string whole = read_file(segment_file(newest));
    for (const std::size_t head : {std::size_t{8}, std::size_t{4'096}, whole.size()}) {
      SCOPED_TRACE(head);
      std::string bytes = whole;
      bytes.replace(0, head, head, '\0');
      write_file(segment_file(newest), bytes);
      const auto error = refusal(with);
      ASSERT_TRUE(error);
      EXPECT_EQ(error->code, base::ErrorCode::Damaged) << error->text();
      EXPECT_EQ(read_file(segment_file(newest)), bytes);
    }
    std::filesystem::remove(segment_file(newest));
    const auto error = refusal(with);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, base::ErrorCode::Damaged) << error->text();
  }
}

TEST_F(JournalRecovery, ASegmentGoneFromBetweenOthersIsRefused) {
  journal::Options with = reserving(8 * 1024);
  {
    send(*open(with), 1, 120, message_bytes);
  }
  std::filesystem::remove(segment_file(2));
  const auto error = refusal(with);
  ASSERT_TRUE(error);
  EXPECT_TRUE(has_message(error->text(), "J210", {segment_file(2)}));
  // The oldest ones may be missing: they were archived.
  std::filesystem::remove(segment_file(1));
  EXPECT_EQ(open(with)->next_outgoing(), 121U);
}

// As written by builds without end marks: faults that such a journal cannot detect are not refused.
TEST_F(JournalRecovery, AJournalWithoutMarksOpensAsItDid) {
  fill(5);
  change_header(1, [](format::Header& header) { header.flags = 0; });
  change_bytes(1, [](std::string& bytes) {
    bytes.replace(offset_of(6), format::end_mark_bytes, format::end_mark_bytes, '\0');
  });
  std::filesystem::remove(directory() + "/summary");
  {
    const auto journal = open(reserving());
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->next_outgoing(), 6U);
    EXPECT_EQ(journal->recovered().cut_bytes, 0U);
    send(*journal, 6, 8, message_bytes);
  }
  const auto journal = open(reserving());
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->next_outgoing(), 9U);
  EXPECT_EQ(numbers_of(journal->replay(1, 10)), range(1, 8));
}

// An opening after a power loss that is killed before it has recorded the loss.
TEST_F(JournalRecovery, ALossThatIsNotAnnouncedYetIsAnnouncedByTheNextOpening) {
  fill(5);
  change_state(1, [](format::State& state) { state.flags = format::state_flag_numbers_lost; });
  const auto journal = open(reserving());
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->next_outgoing(), 1'001U);
  EXPECT_EQ(journal->recovered().skipped_from, 6U);
  EXPECT_EQ(read_all().rows.back().record.kind, Kind::Event);
}

TEST_F(JournalRecovery, ASegmentThatCannotBeOpenedAfterAPowerLossIsNotALostOne) {
  journal::Options with = reserving(8 * 1024);
  std::uint32_t newest = 0;
  {
    const auto journal = open(with);
    send(*journal, 1, 300, message_bytes);
    newest = journal->end().segment;
  }
  ASSERT_GT(newest, 3U);
  support::RecordingDisk disk(1);  // It reports another boot.
  using Call = support::RecordingDisk::Call;
  with.disk = &disk;
  const Files before = read_files();
  for (const Call failing : {Call::Open, Call::Map}) {
    disk.fault = [&](Call call, const std::string& path) {
      return call == failing && path == segment_file(newest - 1) ? EIO : 0;
    };
    const auto error = refusal(with);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, base::ErrorCode::Io) << error->text();
    EXPECT_EQ(read_files(), before);
  }
  disk.fault = nullptr;
  const auto journal = open(with);
  ASSERT_TRUE(journal);
  EXPECT_EQ(numbers_of(journal->replay(1, 300)), range(1, 300));
}

TEST_F(JournalRecovery, FlippedBitAnywhereInTheMiddleIsRefused) {
  fill(20);
  const std::string whole = read_file(segment_file(1));
  for (std::size_t at = offset_of(10);
       at < offset_of(10) + format::record_header_bytes + message_bytes; ++at) {
    SCOPED_TRACE(at - offset_of(10));
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x01);
    write_file(segment_file(1), bytes);
    expect_refused("J208", {std::to_string(offset_of(10))});
  }
}

TEST_F(JournalRecovery, HoleInTheMiddleIsRefused) {
  fill(20);
  change_bytes(1, [](std::string& bytes) {
    bytes.replace(offset_of(7), 2 * record_bytes, 2 * record_bytes, '\0');
  });
  expect_refused("J208", {std::to_string(offset_of(7)), std::to_string(offset_of(9))});
}

TEST_F(JournalRecovery, RefuseMeansRefuse) {
  fill(5);
  change_bytes(1, [](std::string& bytes) { bytes[offset_of(5) + 50] ^= 1; });
  journal::Options with = reserving();
  with.after_power_loss = journal::AfterPowerLoss::Refuse;
  const auto error = refusal(with);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, base::ErrorCode::Damaged);
}

TEST_F(JournalRecovery, LossWithoutAReserveIsRefused) {
  {
    send(*open(), 1, 5, message_bytes);
  }
  restart_machine(1);
  std::filesystem::remove(directory() + "/summary");
  expect_refused("J205", {"reserve"});
}

TEST_F(JournalRecovery, DamageAfterACleanCloseIsRefused) {
  fill(5, true);
  const std::string whole = read_file(segment_file(1));
  change_bytes(1, [](std::string& bytes) { bytes[offset_of(5) + 50] ^= 1; });
  expect_refused("J208");
  write_file(segment_file(1), whole.substr(0, offset_of(5) + 10));
  expect_refused("J208");
  // Also on another boot: the clean mark was flushed after the records.
  write_file(segment_file(1), whole);
  change_bytes(1, [](std::string& bytes) { bytes[offset_of(5) + 50] ^= 1; });
  restart_machine(1);
  expect_refused("J208");
}

TEST_F(JournalRecovery, CleanCloseSurvivesARestartOfTheMachine) {
  fill(5, true);
  restart_machine(1);
  const auto journal = open(reserving());
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->recovered().clean);
  EXPECT_TRUE(journal->recovered().other_boot);
  EXPECT_EQ(journal->next_outgoing(), 6U);
  EXPECT_EQ(journal->recovered().skipped_from, 0U);
}

TEST_F(JournalRecovery, CleanCloseWithoutFlushIsNoneAfterARestartOfTheMachine) {
  journal::Options with = reserving();
  with.sync_on_close = false;
  {
    const auto journal = open(with);
    send(*journal, 1, 5);
    ASSERT_TRUE(journal->close());
  }
  EXPECT_TRUE(open(with)->recovered().clean);
  restart_machine(1);
  const auto journal = open(with);
  EXPECT_FALSE(journal->recovered().clean);
  EXPECT_EQ(journal->next_outgoing(), 1'006U);
}

TEST_F(JournalRecovery, PowerLossCutsAtTheFirstHoleAndSkipsAhead) {
  fill(20);
  change_bytes(1, [](std::string& bytes) {
    bytes.replace(offset_of(7), 2 * record_bytes, 2 * record_bytes, '\0');
  });
  restart_machine(1);
  {
    const auto journal = open(reserving());
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->recovered().other_boot);
    EXPECT_FALSE(journal->recovered().clean);
    EXPECT_EQ(journal->recovered().skipped_from, 7U);
    EXPECT_EQ(journal->next_outgoing(), 1'001U);
    EXPECT_EQ(journal->recovered().cut_bytes, read_file(journal->recovered().cut_file).size());
    EXPECT_GT(journal->recovered().cut_bytes, 11 * record_bytes);
    EXPECT_EQ(numbers_of(journal->replay(1, 2'000)), range(1, 6));
    send(*journal, 1'001, 1'001);
  }
  // This is final: the next opening finds nothing to cut.
  const auto journal = open(reserving());
  EXPECT_EQ(journal->next_outgoing(), 1'002U);
  EXPECT_EQ(journal->recovered().cut_bytes, 0U);
  EXPECT_EQ(journal->recovered().skipped_from, 0U);
}

TEST_F(JournalRecovery, DamageAfterTheDurablePositionIsRefusedEvenAfterPowerLoss) {
  fill(20);
  change_state(1, [](format::State& state) {
    state.durable_offset = offset_of(10);
    state.boot_id[3] = static_cast<std::uint8_t>(state.boot_id[3] + 1);
  });
  const std::string before = read_file(segment_file(1));
  change_bytes(1, [](std::string& bytes) { bytes[offset_of(9) + 60] ^= 1; });
  expect_refused("J208", {std::to_string(offset_of(9)), std::to_string(offset_of(10))});
  write_file(segment_file(1), before);
  change_bytes(1, [](std::string& bytes) { bytes[offset_of(10) + 60] ^= 1; });
  EXPECT_EQ(open(reserving())->recovered().skipped_from, 10U);
}

TEST_F(JournalRecovery, PowerLossMayTakePagesOfSegmentsBeforeTheLast) {
  journal::Options with = reserving(8 * 1024);
  {
    const auto journal = open(with);
    send(*journal, 1, 120, message_bytes);
    ASSERT_EQ(journal->end().segment, 5U);
  }
  // The second segment's last page did not reach the disk; everything else did.
  change_bytes(2, [](std::string& bytes) { bytes.replace(8'000, 192, 192, '\0'); });
  for (std::uint32_t number = 1; number <= 5; ++number) {
    restart_machine(number);
  }
  const auto journal = open(with);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->end().segment, 2U);
  EXPECT_EQ(journal->next_outgoing(), 1'001U);
  const std::vector<std::uint64_t> left = numbers_of(journal->replay(1, 2'000));
  EXPECT_EQ(left, range(1, left.back()));
  EXPECT_EQ(journal->recovered().skipped_from, left.back() + 1);
  EXPECT_TRUE(std::filesystem::exists(segment_file(3) + ".cut"));
  EXPECT_TRUE(std::filesystem::exists(segment_file(5) + ".cut"));
  send(*journal, 1'001, 1'100, message_bytes);
  EXPECT_FALSE(read_all().damage);
}

TEST_F(JournalRecovery, PowerLossMayTakeAWholeSegment) {
  journal::Options with = reserving(8 * 1024);
  {
    send(*open(with), 1, 120, message_bytes);
  }
  write_file(segment_file(4), "");
  for (const std::uint32_t number : {1U, 2U, 3U, 5U}) {
    restart_machine(number);
  }
  const auto journal = open(with);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->end().segment, 4U)
      << "the third was full, so the skip is noted in a new fourth";
  EXPECT_EQ(journal->next_outgoing(), 1'001U);
  EXPECT_FALSE(read_all().damage);
}

TEST_F(JournalRecovery, EmptyOrShortSegmentFileIsRefusedWithoutPowerLoss) {
  fill(5);
  for (const std::size_t bytes : {0U, 1U, 4'095U}) {
    write_file(segment_file(1), std::string(bytes, '\0'));
    expect_refused("J211");
  }
}

TEST_F(JournalRecovery, SegmentPreparedAndNeverBegunIsNoJournal) {
  {
    send(*open(), 1, 3);
  }
  write_file(segment_file(2), std::string(128 * 1024, '\0'));
  EXPECT_EQ(open()->next_outgoing(), 4U);
  EXPECT_FALSE(std::filesystem::exists(segment_file(2)));
}

TEST_F(JournalRecovery, HeaderThatIsNotOursIsRefused) {
  fill(5);
  const std::string whole = read_file(segment_file(1));
  const auto after = [&](auto change) {
    write_file(segment_file(1), whole);
    change_header(1, change);
    const auto error = refusal();
    return error ? std::pair(error->code, error->text())
                 : std::pair(base::ErrorCode::Limit, std::string("opened"));
  };
  using base::ErrorCode;
  EXPECT_EQ(after([](auto& h) { h.magic ^= 1; }).first, ErrorCode::Unsupported);
  const auto order = after([](auto& h) {
    h.magic = __builtin_bswap64(h.magic);
    h.byte_order = __builtin_bswap32(h.byte_order);
  });
  EXPECT_EQ(order.first, ErrorCode::Unsupported);
  EXPECT_TRUE(has_message(order.second, "J204", {"byte order"}));
  const auto version = after([](auto& h) { h.version = 2; });
  EXPECT_EQ(version.first, ErrorCode::Unsupported);
  EXPECT_TRUE(has_message(version.second, "J204", {"version 2"}));
  EXPECT_EQ(after([](auto& h) { h.segment_number = 9; }).first, ErrorCode::Damaged);
  EXPECT_EQ(after([](auto& h) { h.identity_bytes = 381; }).first, ErrorCode::Damaged);
  EXPECT_EQ(after([](auto& h) { h.segment_bytes = 4'096; }).first, ErrorCode::Damaged);
  EXPECT_EQ(
      after([](auto& h) { h.segment_bytes = std::numeric_limits<std::uint64_t>::max(); }).first,
      ErrorCode::Damaged);
  EXPECT_EQ(after([](auto& h) { h.records_offset = 0; }).first, ErrorCode::Damaged);
  EXPECT_EQ(after([](auto&) {}).second, "opened") << "the header written back unchanged is fine";
}

TEST_F(JournalRecovery, EveryByteOfTheHeaderIsGuarded) {
  fill(2);
  const std::string whole = read_file(segment_file(1));
  for (std::size_t at = 0; at < sizeof(format::Header); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    write_file(segment_file(1), bytes);
    ASSERT_TRUE(refusal()) << at;
  }
}

TEST_F(JournalRecovery, OneTornStateSlotLeavesTheOther) {
  {
    send(*open(reserving()), 1, 3);
  }
  {
    send(*open(reserving()), 4, 5);
  }  // Both slots are in use now.
  const std::string whole = read_file(segment_file(1));
  for (const std::size_t offset : format::state_offset) {
    write_file(segment_file(1), whole);
    change_bytes(1, [&](std::string& bytes) { bytes[offset + 30] ^= 1; });
    const auto journal = open(reserving());
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->next_outgoing(), 6U);
  }
  write_file(segment_file(1), whole);
  change_bytes(1, [&](std::string& bytes) {
    bytes[format::state_offset[0] + 30] ^= 1;
    bytes[format::state_offset[1] + 30] ^= 1;
  });
  expect_refused("J209", {"states"});
}

TEST_F(JournalRecovery, ReserveIsKeptAheadOfTheOutgoingNumber) {
  journal::Options with = reserving();
  {
    const auto journal = open(with);
    for (std::uint64_t sequence = 1; sequence <= 3'333; ++sequence) {
      send(*journal, sequence, sequence);
      if (journal->needs_preparation()) {
        ASSERT_TRUE(journal->prepare());
      }
    }
  }
  const std::uint32_t last = [&] {
    const auto journal = open(with);
    return journal->end().segment;
  }();
  for (std::uint32_t number = 1; number <= last; ++number) {
    restart_machine(number);
  }
  const auto journal = open(with);
  EXPECT_GT(journal->next_outgoing(), 3'334U);
  // A reserve used up quickly is doubled: at most to twice the amount used.
  EXPECT_LE(journal->next_outgoing(), 2 * 3'334U + 2 * 1'000);
}

TEST_F(JournalRecovery, ReserveRenewedWhileTheWriterWentOnIsFoundInTheSegmentBefore) {
  journal::Options with = reserving(8 * 1024);
  {
    const auto journal = open(with);
    send(*journal, 1, 50, message_bytes);
    ASSERT_EQ(journal->end().segment, 2U);
  }
  change_state(1, [](format::State& state) { state.reserved_outgoing = 7'000; });
  restart_machine(1);
  restart_machine(2);
  EXPECT_EQ(open(with)->next_outgoing(), 7'000U);
}

TEST_F(JournalRecovery, OldSegmentsAndOtherFilesAreLeftAlone) {
  {
    send(*open(), 1, 3);
  }
  write_file(directory() + "/notes.txt", "mine");
  write_file(directory() + "/12345.journal", "not a segment's name");
  write_file(directory() + "/00000000x2.journal", "nor this");
  EXPECT_EQ(open()->next_outgoing(), 4U);
  EXPECT_EQ(read_file(directory() + "/notes.txt"), "mine");
}

}  // namespace
}  // namespace affix::journal_test
