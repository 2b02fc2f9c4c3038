// SPDX-License-Identifier: MIT
// Reading a journal from outside while its writer is active.
#include "affix/journal/reader.hpp"

#include "unit/journal/journal_fixture.hpp"

#include <thread>

namespace affix::journal_test {
namespace {

using journal::Reader;

using JournalReader = JournalTest;

TEST_F(JournalReader, NothingThereIsAnErrorThatSaysSo) {
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::NotFound);
  std::filesystem::create_directories(directory());
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::NotFound);
  write_file(segment_file(1), "short");
  EXPECT_EQ(Reader::open(directory()).error().code, base::ErrorCode::Damaged);
}

TEST_F(JournalReader, FollowsALiveWriterOverSegments) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 16 * 1024;
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
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 64 * 1024;
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
  EXPECT_NE(contents.damage->text().find(std::to_string(at)), std::string::npos);
}

TEST_F(JournalReader, SegmentOfAnotherJournalIsNotItsContinuation) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 8 * 1024;
  {
    send(*open(with), 1, 100);
  }
  change_header(2, [](format::Header& header) { header.journal_id ^= 1; });
  const Contents contents = read_all();
  ASSERT_TRUE(contents.damage);
  EXPECT_LT(contents.rows.size(), 100U);
}

TEST_F(JournalReader, SeeksToAPositionItGave) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 8 * 1024;
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
