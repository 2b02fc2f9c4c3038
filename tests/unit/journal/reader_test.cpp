// SPDX-License-Identifier: MIT
// Reading a journal from outside while its writer is active.
#include "affix/journal/reader.hpp"

#include "support/has_message.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

namespace affix::journal_test {
namespace {

using journal::Reader;
using support::has_message;

using JournalReader = JournalTest;

TEST_F(JournalReader, NothingThereIsAnErrorThatSaysSo) {
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::NotFound);
  std::filesystem::create_directories(directory());
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::NotFound);
  write_file(segment_file(1), "short");
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::Damaged);
}

TEST_F(JournalReader, FollowsALiveWriterOverSegments) {
  journal::Options with = small_segments();
  const auto journal = open(with);
  auto reader = Reader::open(directory());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->identity(), with.identity);
  EXPECT_FALSE(reader->next());
  std::uint64_t seen = 0;
  for (std::uint64_t sent = 0; sent < 1'000; sent += 50) {
    send(*journal, sent + 1, sent + 50);
    while (const auto record = reader->next()) {
      ++seen;
      ASSERT_EQ(record->sequence, seen);
      ASSERT_EQ(record->bytes, message_of(seen));
    }
    ASSERT_EQ(seen, sent + 50);
  }
  EXPECT_EQ(reader->segment(), journal->end().segment);
  EXPECT_EQ(reader->position(), journal->end());
  EXPECT_FALSE(reader->damage());
}

TEST_F(JournalReader, SeesWholeRecordsOnlyWhileAnotherThreadWrites) {
  journal::Options with = small_segments(64 * 1024);
  const auto journal = open(with);
  constexpr std::uint64_t last = 30'000;
  std::thread writer([&] { send(*journal, 1, last); });
  auto reader = Reader::open(directory());
  std::uint64_t seen = 0;
  bool right = reader.has_value();
  while (right && seen < last && !reader->damage()) {
    if (const auto record = reader->next()) {
      ++seen;
      right = record->sequence == seen && record->bytes == message_of(seen);
    }
  }
  writer.join();
  EXPECT_TRUE(right);
  EXPECT_EQ(seen, last);
  EXPECT_FALSE(reader->damage());
}

TEST_F(JournalReader, StopsAtDamageAndNamesThePlace) {
  {
    send(*open(), 1, 10, 100);
  }
  std::string bytes = read_file(segment_file(1));
  const std::size_t at = format::records_offset + 4 * format::record_bytes(100);
  bytes[at + 50] ^= 1;
  write_file(segment_file(1), bytes);
  const Contents contents = read_all();
  EXPECT_EQ(contents.rows.size(), 4U);
  ASSERT_TRUE(contents.damage);
  EXPECT_EQ(contents.damage->code, base::ErrorCode::Damaged);
  EXPECT_TRUE(has_message(contents.damage->text(), "J208", {std::to_string(at)}));
}

/// A journal with `sync` as its live writer leaves it, and with less than that in its last record.
class JournalReaderBesidePwrite : public JournalTest {
 protected:
  static constexpr std::uint64_t messages = 3;
  static constexpr std::size_t message_bytes = 400;
  static constexpr std::size_t last_at =
      format::records_offset + (messages - 1) * format::record_bytes(message_bytes);
  static constexpr std::size_t half = format::record_header_bytes + message_bytes / 2;

  void SetUp() override {
    journal::Options with = options();
    with.durability = journal::Durability::Sync;
    {
      const auto journal = open(with);
      send(*journal, 1, messages, message_bytes);
      ASSERT_TRUE(journal->flush());
      live_ = read_file(segment_file(1));
      ASSERT_TRUE(journal->close());
    }
    closed_ = read_file(segment_file(1));
  }

  /// `whole` with zeros where pwrite has not been yet.
  static std::string half_written(std::string whole) {
    std::fill(whole.begin() + last_at + half, whole.end(), '\0');
    return whole;
  }

  /// Changes the file in place: a reader maps it.
  void overwrite(std::size_t at, std::string_view bytes) const {
    std::fstream file(segment_file(1), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    ASSERT_TRUE(file.flush().good());
  }

  std::string live_;
  std::string closed_;
};

TEST_F(JournalReaderBesidePwrite, ARecordOfWhichAPartIsThereIsAwaited) {
  write_file(segment_file(1), half_written(live_));
  auto reader = Reader::open(directory());
  ASSERT_TRUE(reader);
  for (std::uint64_t sequence = 1; sequence < messages; ++sequence) {
    ASSERT_EQ(reader->next()->sequence, sequence);
  }
  for (int look = 0; look < 3; ++look) {
    EXPECT_FALSE(reader->next());
    EXPECT_FALSE(reader->damage());
  }
  overwrite(last_at + half, std::string_view(live_).substr(last_at + half));
  const auto record = reader->next();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->bytes, message_of(messages, message_bytes));
  EXPECT_FALSE(reader->next());
  EXPECT_FALSE(reader->damage());
}

TEST_F(JournalReaderBesidePwrite, ABadRecordWithItsEndIsDamage) {
  std::string bytes = live_;
  bytes[last_at + half] ^= 1;
  write_file(segment_file(1), bytes);
  const Contents contents = read_all();
  EXPECT_EQ(contents.rows.size(), messages - 1);
  ASSERT_TRUE(contents.damage);
  EXPECT_TRUE(has_message(contents.damage->text(), "J208", {std::to_string(last_at)}));
}

TEST_F(JournalReaderBesidePwrite, AHoleBeforeAnotherRecordIsDamage) {
  std::string bytes = live_;
  const std::size_t at = format::records_offset + half;
  bytes.replace(at, format::records_offset + format::record_bytes(message_bytes) - at,
                format::records_offset + format::record_bytes(message_bytes) - at, '\0');
  write_file(segment_file(1), bytes);
  const Contents contents = read_all();
  EXPECT_TRUE(contents.rows.empty());
  EXPECT_TRUE(contents.damage);
}

TEST_F(JournalReaderBesidePwrite, APartOfARecordInAClosedJournalIsDamage) {
  write_file(segment_file(1), half_written(closed_));
  EXPECT_TRUE(read_all().damage);
}

TEST_F(JournalReaderBesidePwrite, APartOfARecordBeforeTheNextSegmentIsDamage) {
  write_file(segment_file(1), half_written(live_));
  std::string next = live_;
  write_file(segment_file(2), next);
  change_header(2, [](format::Header& header) { header.segment_number = 2; });
  EXPECT_TRUE(read_all().damage);
}

TEST_F(JournalReader, RetentionThatOvertakesItIsNoEnd) {
  const auto journal = open(small_segments(8 * 1024));
  send(*journal, 1, 10);
  auto reader = Reader::open(directory());
  ASSERT_TRUE(reader);
  while (journal->end().segment < 4) {
    send(*journal, journal->next_outgoing(), journal->next_outgoing());
  }
  for (std::uint32_t number = 1; number <= 3; ++number) {
    std::filesystem::remove(segment_file(number));
  }
  while (reader->next()) {
    ASSERT_EQ(reader->segment(), 1U);
  }
  ASSERT_TRUE(reader->damage());
  EXPECT_EQ(reader->damage()->code, base::ErrorCode::NotFound);
  ASSERT_TRUE(reader->seek({4, 0})) << reader->damage()->text();
  EXPECT_TRUE(reader->next());
  EXPECT_FALSE(reader->damage());
}

TEST_F(JournalReader, TheLastSegmentOfAnArchiveIsTheEnd) {
  {
    const auto journal = open(small_segments(8 * 1024));
    while (journal->end().segment < 3) {
      send(*journal, journal->next_outgoing(), journal->next_outgoing());
    }
  }
  std::filesystem::remove(segment_file(3));
  const Contents contents = read_all();
  EXPECT_EQ(contents.rows.back().record.position.segment, 2U);
  EXPECT_FALSE(contents.damage);
}

TEST_F(JournalReader, SegmentOfAnotherJournalIsNotItsContinuation) {
  journal::Options with = small_segments(8 * 1024);
  {
    send(*open(with), 1, 100);
  }
  change_header(2, [](format::Header& header) { header.journal_id ^= 1; });
  const Contents contents = read_all();
  ASSERT_TRUE(contents.damage);
  EXPECT_LT(contents.rows.size(), 100U);
}

TEST_F(JournalReader, SeeksToAPositionItGave) {
  journal::Options with = small_segments(8 * 1024);
  const auto journal = open(with);
  send(*journal, 1, 200);
  auto reader = Reader::open(directory());
  ASSERT_TRUE(reader);
  journal::Position position;
  for (std::uint64_t sequence = 1; sequence <= 150; ++sequence) {
    position = reader->next()->position;
  }
  ASSERT_TRUE(reader->seek({2, 0}));
  EXPECT_GT(reader->next()->sequence, 1U);
  ASSERT_TRUE(reader->seek(position));
  EXPECT_EQ(reader->next()->sequence, 150U);
  EXPECT_FALSE(reader->seek({99, 0}));
  EXPECT_FALSE(reader->seek({2, 4'097}));
  Reader moved = std::move(*reader);
  EXPECT_TRUE(moved.next());
}

}  // namespace
}  // namespace affix::journal_test
