// SPDX-License-Identifier: MIT
// Appending, and the state found by reopening: numbers, marks, identity, the lock.
#include "affix/journal/journal.hpp"

#include "support/has_message.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <array>

namespace affix::journal_test {
namespace {

using journal::Appended;
using journal::AppendResult;
using journal::Delivery;
using journal::EventType;
using journal::Journal;
using journal::Kind;
using journal::QueuedMessages;
using journal::Record;
using support::has_message;

using JournalAppend = JournalTest;
using JournalReopen = JournalTest;
using JournalMark = JournalTest;
using JournalLock = JournalTest;

TEST_F(JournalAppend, NewJournalStartsAtOne) {
  const auto journal = open();
  EXPECT_EQ(journal->next_outgoing(), 1U);
  EXPECT_EQ(journal->next_expected(), 1U);
  EXPECT_TRUE(journal->recovered().created);
  EXPECT_TRUE(journal->recovered().clean);
}

TEST_F(JournalAppend, EveryKindIsReadBackAsItWasWritten) {
  const auto journal = open();
  const std::string payload = std::string("58=a\0b\x01", 7) + "10=000\x01";
  ASSERT_EQ(journal->append_sent(1, start_ns, "logon"), AppendResult::Appended);
  const Appended received = journal->append_received(1, 2, start_ns + 1, payload);
  ASSERT_EQ(received.result(), AppendResult::Appended);
  ASSERT_EQ(journal->append_held(5, start_ns + 2, "ahead of a gap"), AppendResult::Appended);
  ASSERT_EQ(journal->append_resent(1, 9, start_ns + 3, "asked by 7=1 16=0"),
            AppendResult::Appended);
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 70, 80, start_ns + 4, "by hand"),
            AppendResult::Appended);
  ASSERT_EQ(journal->append_event(EventType::Remark, 1, 1, start_ns + 5, ""),
            AppendResult::Appended);
  EXPECT_EQ(journal->next_outgoing(), 70U);
  EXPECT_EQ(journal->next_expected(), 80U);

  const Contents contents = read_all();
  ASSERT_FALSE(contents.damage);
  ASSERT_EQ(contents.rows.size(), 6U);
  const auto expect = [&](std::size_t row, Kind kind, EventType event, std::uint64_t sequence,
                          std::uint64_t after, std::string_view bytes) {
    SCOPED_TRACE(row);
    const Record& record = contents.rows[row].record;
    EXPECT_EQ(record.kind, kind);
    EXPECT_EQ(record.event, event);
    EXPECT_EQ(record.sequence, sequence);
    EXPECT_EQ(record.number_after, after);
    EXPECT_EQ(record.utc_ns, start_ns + static_cast<std::int64_t>(row));
    EXPECT_EQ(contents.rows[row].bytes, bytes);
    EXPECT_FALSE(record.processed);
  };
  expect(0, Kind::Sent, EventType::None, 1, 2, "logon");
  expect(1, Kind::Received, EventType::None, 1, 2, payload);
  expect(2, Kind::Held, EventType::None, 5, 2, "ahead of a gap");
  expect(3, Kind::Resent, EventType::None, 1, 9, "asked by 7=1 16=0");
  expect(4, Kind::Event, EventType::NumbersSet, 70, 80, "by hand");
  expect(5, Kind::Event, EventType::Remark, 70, 80, "");
  EXPECT_EQ(contents.rows[1].record.position, received.position());
}

TEST_F(JournalAppend, PiecesAreStoredAsOneMessage) {
  const auto journal = open();
  const std::array<std::string_view, 4> pieces = {"8=FIX.4.4|", "", "9=12|35=0|", "10=000|"};
  ASSERT_EQ(journal->append_sent(1, 2, start_ns, pieces), AppendResult::Appended);
  EXPECT_EQ(read_all().rows.at(0).bytes, "8=FIX.4.4|9=12|35=0|10=000|");
}

TEST_F(JournalReopen, QueuedMessagesAreCountedUntilAResendReachesThem) {
  const auto reopened = [this](std::unique_ptr<Journal> before) {
    before.reset();
    return open();
  };
  auto journal = open();
  ASSERT_EQ(journal->append_sent(1, start_ns, "logon"), AppendResult::Appended);
  EXPECT_EQ(journal->queued(), QueuedMessages{});
  for (const std::uint64_t number : {2U, 3U, 4U}) {
    ASSERT_EQ(journal->append_queued(number, start_ns, message_of(number)), AppendResult::Appended);
  }
  EXPECT_EQ(journal->next_outgoing(), 5U);
  // Records of other kinds and messages that are sent leave the count as it is.
  ASSERT_EQ(journal->append_sent(5, start_ns, "logon"), AppendResult::Appended);
  ASSERT_EQ(journal->append_received(1, 2, start_ns, "logon").result(), AppendResult::Appended);
  ASSERT_EQ(journal->append_event(EventType::Remark, 0, 0, start_ns, "logged on"),
            AppendResult::Appended);
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 10, 2, start_ns, "by hand"),
            AppendResult::Appended);
  journal = reopened(std::move(journal));
  EXPECT_EQ(journal->queued(), (QueuedMessages{3, 4}));
  journal->set_unsent(1);
  ASSERT_EQ(journal->append_resent(2, 3, start_ns), AppendResult::Appended);
  journal = reopened(std::move(journal));
  EXPECT_EQ(journal->queued(), (QueuedMessages{1, 4}));
  ASSERT_EQ(journal->append_event(EventType::Reset, 1, 1, start_ns, "reset"),
            AppendResult::Appended);
  EXPECT_EQ(journal->queued(), QueuedMessages{});
  journal = reopened(std::move(journal));
  EXPECT_EQ(journal->queued(), QueuedMessages{});

  std::vector<std::uint32_t> unsent;
  for (const auto& row : read_all().rows) {
    unsent.push_back(row.record.unsent);
  }
  EXPECT_EQ(unsent, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 0, 3, 3, 1, 0}));
}

TEST_F(JournalReopen, QueuedMessagesOfEarlierSegmentsAreCounted) {
  journal::Options small = small_segments(8 * 1024);
  auto journal = open(small);
  constexpr std::uint64_t last = 100;
  for (std::uint64_t number = 1; number <= last; ++number) {
    ASSERT_EQ(journal->append_queued(number, start_ns, message_of(number, 200)),
              AppendResult::Appended);
  }
  const std::uint32_t segment = journal->end().segment;
  std::uint64_t number = last;
  while (journal->end().segment == segment) {
    ++number;
    ASSERT_EQ(journal->append_sent(number, start_ns, message_of(number, 200)),
              AppendResult::Appended);
  }
  journal.reset();
  journal = open(small);
  EXPECT_EQ(journal->queued(), (QueuedMessages{last, last}));
}

TEST_F(JournalAppend, AnOutgoingNumberIsNeverUsedTwice) {
  const auto journal = open();
  ASSERT_EQ(journal->append_sent(1, start_ns, "a"), AppendResult::Appended);
  EXPECT_EQ(journal->append_sent(1, start_ns, "b"), AppendResult::OutOfOrder);
  EXPECT_EQ(journal->append_sent(2, 2, start_ns, "moves nothing on"), AppendResult::OutOfOrder);
  EXPECT_EQ(journal->append_sent(5, 9, start_ns, "a gap is the caller's right"),
            AppendResult::Appended);
  EXPECT_EQ(journal->append_sent(8, start_ns, "c"), AppendResult::OutOfOrder);
  EXPECT_EQ(journal->next_outgoing(), 9U);
  EXPECT_EQ(read_all().rows.size(), 2U);
}

TEST_F(JournalAppend, NumbersAreSixtyFourBit) {
  constexpr std::uint64_t large = (std::uint64_t{1} << 63) - 2;
  {
    const auto journal = open();
    ASSERT_EQ(journal->append_event(EventType::NumbersSet, large, large, start_ns, ""),
              AppendResult::Appended);
    ASSERT_EQ(journal->append_sent(large, start_ns, "x"), AppendResult::Appended);
    EXPECT_EQ(numbers_of(journal->replay(1, UINT64_MAX)), std::vector<std::uint64_t>{large});
  }
  const auto journal = open();
  EXPECT_EQ(journal->next_outgoing(), large + 1);
  EXPECT_EQ(journal->next_expected(), large);
}

TEST_F(JournalAppend, AMessageLongerThanASegmentIsRefusedAndOneThatJustFitsIsNot) {
  journal::Options with = options();
  with.max_segment_bytes = 128 * 1024;
  const auto journal = open(with);
  const std::size_t room = 128 * 1024 - format::records_offset - format::record_header_bytes - 1 -
                           format::end_mark_bytes;
  EXPECT_EQ(journal->append_sent(1, start_ns, std::string(room + 1, 'x')), AppendResult::TooLarge);
  EXPECT_EQ(journal->next_outgoing(), 1U);
  EXPECT_EQ(journal->append_sent(1, start_ns, std::string(room, 'x')), AppendResult::Appended);
  EXPECT_EQ(journal->append_sent(2, start_ns, "after it"), AppendResult::Appended);
  const Contents contents = read_all();
  ASSERT_FALSE(contents.damage) << contents.damage->text();
  ASSERT_EQ(contents.rows.size(), 2U);
  EXPECT_EQ(contents.rows[0].bytes, std::string(room, 'x'));
}

TEST_F(JournalAppend, ClosedJournalTakesNothing) {
  const auto journal = open();
  ASSERT_TRUE(journal->close());
  EXPECT_EQ(journal->append_sent(1, start_ns, "x"), AppendResult::Closed);
  EXPECT_EQ(journal->append_received(1, 2, start_ns, "x").result(), AppendResult::Closed);
  EXPECT_TRUE(journal->close()) << "twice is fine";
}

TEST_F(JournalReopen, NumbersFollowFromTheRecords) {
  for (const bool clean : {false, true}) {
    SCOPED_TRACE(clean);
    std::filesystem::remove_all(directory());
    {
      const auto journal = open();
      send(*journal, 1, 40);
      ASSERT_EQ(journal->append_received(1, 2, start_ns, "a").result(), AppendResult::Appended);
      ASSERT_EQ(journal->append_received(2, 17, start_ns, "a gap fill to 17").result(),
                AppendResult::Appended);
      ASSERT_EQ(journal->append_held(30, start_ns, "held"), AppendResult::Appended);
      if (clean) {
        ASSERT_TRUE(journal->close());
      }
    }
    const auto journal = open();
    EXPECT_EQ(journal->next_outgoing(), 41U);
    EXPECT_EQ(journal->next_expected(), 17U);
    EXPECT_EQ(journal->recovered().clean, clean);
    EXPECT_FALSE(journal->recovered().created);
    EXPECT_FALSE(journal->recovered().other_boot);
    EXPECT_EQ(journal->recovered().cut_bytes, 0U);
    EXPECT_EQ(journal->recovered().records, 43U);
    send(*journal, 41, 45);
  }
}

TEST_F(JournalReopen, ManySegmentsAndOpeningReadsOnlyTheLast) {
  journal::Options with = small_segments(32 * 1024);
  {
    const auto journal = open(with);
    send(*journal, 1, 5'000);
    EXPECT_GT(journal->end().segment, 15U);
  }
  // If the first segment were read, this would be noticed.
  write_file(segment_file(1), "no segment at all");
  const auto journal = open(with);
  EXPECT_EQ(journal->next_outgoing(), 5'001U);
  EXPECT_LT(journal->recovered().records, 500U);
}

TEST_F(JournalReopen, SegmentsDoubleUpToTheLimit) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 30 * 1000;  // Rounded up to 32 KiB.
  const auto journal = open(with);
  send(*journal, 1, 1'500);
  EXPECT_EQ(std::filesystem::file_size(segment_file(1)), 8U * 1024);
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 16U * 1024);
  EXPECT_EQ(std::filesystem::file_size(segment_file(3)), 32U * 1024);
  EXPECT_EQ(std::filesystem::file_size(segment_file(4)), 32U * 1024);
}

TEST_F(JournalReopen, AnotherSessionsJournalIsRefused) {
  {
    send(*open(), 1, 3);
  }
  journal::Options with = options();
  with.identity = "FIX.4.4:US->OTHERS";
  const auto error = refusal(with);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, base::ErrorCode::InvalidArgument);
  EXPECT_TRUE(has_message(error->text(), "J202", {"FIX.4.4:US->THEM", "FIX.4.4:US->OTHERS"}));
  EXPECT_EQ(open()->next_outgoing(), 4U);
}

TEST_F(JournalReopen, OptionsOutOfRangeAreRefused) {
  const auto code = [&](auto change) {
    journal::Options with = options();
    change(with);
    const auto error = refusal(with);
    return error ? std::optional(error->code) : std::nullopt;
  };
  using base::ErrorCode;
  EXPECT_EQ(code([](auto& o) { o.identity.clear(); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(code([](auto& o) { o.identity.assign(381, 'x'); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(code([](auto& o) { o.directory.clear(); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(code([](auto& o) { o.max_segment_bytes = std::uint64_t{1} << 40; }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(code([](auto& o) { o.directory = "/proc/affix/none"; }), ErrorCode::NotFound);
  EXPECT_EQ(code([](auto& o) { o.identity.assign(380, 'x'); }), std::nullopt);
}

TEST_F(JournalReopen, NumbersOnlyKeepsNumbersAndDropsOldSegments) {
  journal::Options with = options();
  with.max_segment_bytes = 0;
  {
    const auto journal = open(with);
    for (std::uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
      ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence)),
                AppendResult::Appended);
      ASSERT_EQ(journal->append_received(sequence, sequence + 1, start_ns, "m").result(),
                AppendResult::Appended);
      if (journal->needs_preparation()) {
        ASSERT_TRUE(journal->prepare());
      }
    }
    EXPECT_TRUE(numbers_of(journal->replay(1, 20'000)).empty());
    EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
  }
  std::size_t segments = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    segments += entry.path().extension() == ".journal" ? 1U : 0U;
  }
  EXPECT_LE(segments, 3U) << "the current one, the one before, the next";
  {
    const auto journal = open(with);
    EXPECT_EQ(journal->next_outgoing(), 20'001U);
    EXPECT_EQ(journal->next_expected(), 20'001U);
    EXPECT_EQ(journal->recovered().unprocessed, 0U);
  }
  const auto oldest = journal::Reader::open(directory());
  ASSERT_TRUE(oldest);
  EXPECT_TRUE(std::filesystem::exists(segment_file(oldest->segment())));
  EXPECT_FALSE(std::filesystem::exists(segment_file(oldest->segment() - 1)));
  EXPECT_FALSE(std::filesystem::exists(segment_file(oldest->segment() + 1)))
      << "only the current one";
  // Back to storing messages: earlier ones are missing, later ones are stored.
  const auto journal = open();
  send(*journal, 20'001, 20'003);
  EXPECT_EQ(numbers_of(journal->replay(1, 30'000)), range(20'001, 20'003));
}

TEST_F(JournalMark, UnprocessedReceivedMessagesComeBackInOrder) {
  {
    const auto journal = open();
    std::vector<journal::Position> positions;
    for (std::uint64_t sequence = 1; sequence <= 6; ++sequence) {
      send(*journal, sequence, sequence);
      const Appended appended =
          journal->append_received(sequence, sequence + 1, start_ns, message_of(sequence),
                                   sequence == 5 ? Delivery::SessionOnly : Delivery::Application);
      positions.push_back(appended.position());
    }
    journal->mark_processed(positions[0]);
    journal->mark_processed(positions[0]);  // Marking twice has no further effect.
    journal->mark_processed(positions[2]);
    EXPECT_EQ(numbers_of(journal->unprocessed()), (std::vector<std::uint64_t>{2, 4, 6}));
  }
  const auto journal = open();
  EXPECT_EQ(journal->recovered().unprocessed, 3U);
  journal::Replay replay = journal->unprocessed();
  std::vector<std::string> texts;
  while (const auto record = replay.next()) {
    texts.emplace_back(record->bytes);
    EXPECT_EQ(record->kind, Kind::Received);
    journal->mark_processed(record->position);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{message_of(2), message_of(4), message_of(6)}));
  EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
}

TEST_F(JournalMark, UnprocessedMessagesOfEarlierSegmentsAreFoundByTheCheckpoint) {
  journal::Options with = small_segments(8 * 1024);
  std::vector<journal::Position> positions;
  {
    const auto journal = open(with);
    for (std::uint64_t sequence = 1; sequence <= 300; ++sequence) {
      positions.push_back(
          journal->append_received(sequence, sequence + 1, start_ns, message_of(sequence))
              .position());
    }
    ASSERT_GT(journal->end().segment, 4U);
    // In order, like a slow application, including segments unmapped long ago.
    for (std::size_t at = 0; at < 100; ++at) {
      journal->mark_processed(positions[at]);
    }
    EXPECT_EQ(numbers_of(journal->unprocessed()), range(101, 300));
  }
  {
    const auto journal = open(with);
    EXPECT_EQ(journal->recovered().unprocessed, 200U);
    EXPECT_EQ(journal->next_expected(), 301U);
    EXPECT_EQ(numbers_of(journal->unprocessed()), range(101, 300));
    for (std::size_t at = 100; at < positions.size(); ++at) {
      journal->mark_processed(positions[at]);
    }
    EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
  }
  EXPECT_EQ(open(with)->recovered().unprocessed, 0U);
}

TEST_F(JournalLock, SecondOpenerIsRefusedAndTheLockEndsWithTheFirst) {
  {
    const auto journal = open();
    const auto error = refusal();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, base::ErrorCode::Locked);
    EXPECT_TRUE(has_message(error->text(), "J201", {std::to_string(getpid())}));
    send(*journal, 1, 2);  // The first is not affected.
  }
  EXPECT_EQ(open()->next_outgoing(), 3U);
}

TEST_F(JournalLock, NothingIsLeftOfTheHolderBefore) {
  open().reset();
  const std::string path = directory() + "/lock";
  write_file(path, "123456789012");
  const auto journal = open();
  EXPECT_EQ(read_file(path), std::to_string(getpid()));
}

}  // namespace
}  // namespace affix::journal_test
