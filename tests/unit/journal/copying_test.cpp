// SPDX-License-Identifier: MIT
// The work on files of copies: planting, cutting, setting aside, and reading history.
#include "affix/journal/copying.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/copy_fixture.hpp"

#include <algorithm>
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
using journal::HistoryPiece;
using journal::HistoryReader;
using journal::Journal;
using journal::JournalRole;
using journal::Position;
using support::RecordingDisk;

class JournalCopying : public JournalTest {
 protected:
  [[nodiscard]] std::string place(const std::string& name) const {
    return directory() + "/" + name;
  }

  [[nodiscard]] journal::Options placed(const std::string& name, JournalRole role) const {
    journal::Options with = small_segments();
    with.directory = place(name);
    with.durability = durability_;
    with.role = role;
    return with;
  }

  /// A closed journal of several segments; returns the positions of its records.
  std::vector<Position> make_journal(std::uint32_t segments, journal::Disk* disk = nullptr) {
    journal::Options with = placed("one", JournalRole::Writer);
    with.disk = disk;
    const auto journal = open(with);
    std::vector<Position> positions;
    QueueTap tap;
    journal->set_tap(&tap, 1);
    while (journal->end().segment < segments || positions.size() % 5 != 0) {
      tap.stores.clear();
      send(*journal, journal->next_outgoing(), journal->next_outgoing(), 600);
      positions.push_back(tap.stores.back().at);
      EXPECT_TRUE(journal->prepare());
    }
    EXPECT_TRUE(journal->close());
    return positions;
  }

  [[nodiscard]] std::size_t count_of(const std::string& name, const std::string& part) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place(name))) {
      count += entry.path().filename().string().find(part) != std::string::npos ? 1U : 0U;
    }
    return count;
  }

  Durability durability_ = Durability::Process;
};

TEST_F(JournalCopying, PlantsAnEmptyJournalWithTheHeaderOfAnother) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    make_empty_directory();
    make_journal(4);
    // The older ones are gone.
    HistoryReader reader(place("one"));
    const HistoryPiece third = reader.read({3, 0}, 1);
    ASSERT_TRUE(third.header);
    const journal::Options with = placed("two", JournalRole::Copy);
    const auto planted = journal::plant(with, *third.header);
    ASSERT_TRUE(planted) << planted.error().text();
    const auto copy = open(with);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->end(), (Position{3, format::records_offset}));
    EXPECT_EQ(copy->next_outgoing(), third.header->next_outgoing);
    EXPECT_EQ(catch_up(*copy, place("one"), copy->end()), HistoryPiece::State::AtEnd);
    ASSERT_TRUE(copy->flush());
    expect_same_history(place("two"), place("one"));
    const auto again = journal::plant(with, *third.header);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, base::ErrorCode::Locked);
    copy->abandon();
  }
}

TEST_F(JournalCopying, PlantsOnlyWhatItUnderstands) {
  make_journal(1);
  const format::Header good = oldest_header(place("one"));
  const journal::Options with = placed("two", JournalRole::Copy);
  format::Header bad = good;
  bad.next_outgoing += 1;
  EXPECT_EQ(journal::plant(with, bad).error().code, base::ErrorCode::Damaged);
  EXPECT_EQ(journal::plant(with, format::Header{}).error().code, base::ErrorCode::Unsupported);
  journal::Options other = with;
  other.identity = "FIX.4.4:US->OTHERS";
  EXPECT_EQ(journal::plant(other, good).error().code, base::ErrorCode::InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(place("two")));
  ASSERT_TRUE(journal::plant(with, good));
  EXPECT_EQ(journal::plant(with, good).error().code, base::ErrorCode::AlreadyExists);
}

TEST_F(JournalCopying, PlantsAllOrNothingWhenThePowerFails) {
  make_journal(1);
  const format::Header header = oldest_header(place("one"));
  bool done = false;
  for (std::uint64_t calls = 0; !done && calls < 50; ++calls) {
    RecordingDisk disk(calls);
    std::filesystem::remove_all(place("two"));
    journal::Options with = placed("two", JournalRole::Copy);
    with.disk = &disk;
    disk.lose_power_after(calls);
    done = journal::plant(with, header).has_value();
    disk.restart(place("two"));
    auto opened = Journal::open(with);
    ASSERT_TRUE(!done || opened) << opened.error().text();
    if (!opened) {
      ASSERT_EQ(opened.error().code, base::ErrorCode::NotFound) << opened.error().text();
      ASSERT_TRUE(journal::plant(with, header));
      opened = Journal::open(with);
      ASSERT_TRUE(opened) << opened.error().text();
    }
    EXPECT_EQ((*opened)->end(), (Position{1, format::records_offset}));
  }
  EXPECT_TRUE(done);
}

TEST_F(JournalCopying, SetsADirectoryAside) {
  make_journal(1);
  const journal::Options with = placed("one", JournalRole::Copy);
  const auto first = journal::set_aside(with, "damaged");
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(*first, place("one.damaged"));
  make_journal(1);
  EXPECT_EQ(journal::set_aside(with, "damaged").value_or(""), place("one.damaged-2"));
  EXPECT_EQ(journal::set_aside(with, "damaged").error().code, base::ErrorCode::NotFound);
  EXPECT_EQ(journal::set_aside(with, "../x").error().code, base::ErrorCode::InvalidArgument);
}

TEST_F(JournalCopying, CutsAtAnyRecord) {
  for (const Durability durability : {Durability::Process, Durability::Sync}) {
    durability_ = durability;
    make_empty_directory();
    const std::vector<Position> positions = make_journal(4);
    const History before = read_history(place("one"));
    std::filesystem::copy(place("one"), place("kept"));
    const journal::Options with = placed("one", JournalRole::Copy);
    for (std::size_t at = positions.size(); at-- > 0;) {
      std::filesystem::remove_all(place("one"));
      std::filesystem::copy(place("kept"), place("one"));
      const auto cut = journal::cut(with, positions[at], "test");
      ASSERT_TRUE(cut) << cut.error().text();
      EXPECT_TRUE(*cut);
      EXPECT_GE(count_of("one", "cut-test-"), 1U);
      const auto copy = open(with);
      ASSERT_NE(copy, nullptr);
      EXPECT_EQ(copy->next_outgoing(), at + 1);
      const bool first_of_later =
          positions[at].offset == format::records_offset && positions[at].segment != 1;
      if (!first_of_later) {
        EXPECT_EQ(copy->end(), positions[at]);
      } else {
        EXPECT_EQ(copy->end().segment, positions[at].segment - 1);
      }
      EXPECT_EQ(numbers_of(copy->replay(1, UINT64_MAX)), range(1, at));
      EXPECT_EQ(catch_up(*copy, place("kept"), copy->end()), HistoryPiece::State::AtEnd);
      ASSERT_TRUE(copy->flush());
      expect_same_history(place("one"), place("kept"));
      copy->abandon();
      ASSERT_FALSE(HasFailure()) << at;
    }
    EXPECT_EQ(before.state, HistoryPiece::State::AtEnd);
  }
}

TEST_F(JournalCopying, KeepsWhatItCuts) {
  const std::vector<Position> positions = make_journal(3);
  const std::string second = read_file(place("one") + "/0000000002.journal");
  const std::string third = read_file(place("one") + "/0000000003.journal");
  const std::size_t in_second = static_cast<std::size_t>(
      std::ranges::find_if(positions,
                           [](const Position& at) {
                             return at.segment == 2 && at.offset != format::records_offset;
                           }) -
      positions.begin());
  const Position from = positions[in_second];
  ASSERT_TRUE(journal::cut(placed("one", JournalRole::Copy), from, "x"));
  EXPECT_EQ(read_file(place("one") + "/cut-x-3.journal").substr(4096), third.substr(4096));
  const std::string bytes =
      read_file(place("one") + "/cut-x-2-" + std::to_string(from.offset) + ".bytes");
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(second.substr(from.offset, bytes.size()), bytes);
}

TEST_F(JournalCopying, CutsNothingAtTheEnd) {
  make_journal(2);
  const journal::Options with = placed("one", JournalRole::Copy);
  Position end;
  {
    const auto copy = open(with);
    end = copy->end();
  }
  EXPECT_EQ(journal::cut(with, end, "x"), false);
  EXPECT_EQ(journal::cut(with, {end.segment + 3, 4096}, "x"), false);
  EXPECT_EQ(count_of("one", "cut-"), 0U);
}

TEST_F(JournalCopying, CutsOnlyWhereARecordBegins) {
  const std::vector<Position> positions = make_journal(2);
  const journal::Options with = placed("one", JournalRole::Copy);
  EXPECT_EQ(journal::cut(with, {1, positions[1].offset + 8}, "x").error().code,
            base::ErrorCode::InvalidArgument);
  EXPECT_EQ(journal::cut(with, positions[1], "").error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(journal::cut(with, positions[1], "a/b").error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(journal::cut(placed("none", JournalRole::Copy), positions[1], "x").error().code,
            base::ErrorCode::NotFound);
  std::filesystem::remove(place("one") + "/0000000001.journal");
  EXPECT_EQ(journal::cut(with, {1, 4096}, "x").error().code, base::ErrorCode::NotFound);
}

// Marks, the reserve and the epochs before the place stay.
TEST_F(JournalCopying, KeepsTheReserveAndTheEpochBeforeTheCut) {
  journal::Options with = placed("one", JournalRole::Writer);
  with.sequence_reserve = 50;
  auto journal = open(with);
  const Position received = receive(*journal);
  ASSERT_EQ(journal->append_epoch(3, start_ns, "a"), AppendResult::Appended);
  send(*journal, 1, 4, 900);
  const Position from = journal->end();
  ASSERT_EQ(journal->append_epoch(4, start_ns, "b"), AppendResult::Appended);
  send(*journal, 5, 400, 900);
  journal->mark_processed(received);
  const std::uint64_t reserved = journal->reserved_outgoing();
  ASSERT_TRUE(journal->close());
  journal.reset();
  with.role = JournalRole::Copy;
  ASSERT_TRUE(journal::cut(with, from, "x"));
  const auto copy = open(with);
  EXPECT_EQ(copy->end(), from);
  EXPECT_EQ(copy->epoch(), 3U);
  EXPECT_EQ(copy->next_outgoing(), 5U);
  EXPECT_EQ(copy->unprocessed_count(), 0U);
  EXPECT_GE(copy->reserved_outgoing(), reserved);
}

TEST_F(JournalCopying, CutsInStepsThatOpenAfterAPowerLossOrAKill) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    durability_ = durability;
    for (const bool kills : {false, true}) {
      bool done = false;
      for (std::uint64_t calls = 0; !done && calls < 400; ++calls) {
        SCOPED_TRACE("call " + std::to_string(calls) + (kills ? ", killed" : ", power lost"));
        make_empty_directory();
        RecordingDisk disk(calls);
        const std::vector<Position> positions = make_journal(4, &disk);
        // In the second segment.
        const auto in_second = std::ranges::find_if(positions, [](const Position& at) {
          return at.segment == 2 && at.offset > format::records_offset;
        });
        ASSERT_NE(in_second, positions.end());
        journal::Options with = placed("one", JournalRole::Copy);
        with.disk = &disk;
        disk.write_back_everything();
        disk.lose_power_after(calls);
        done = journal::cut(with, *in_second, "x").has_value();
        if (kills) {
          disk.power_up();
        } else {
          disk.restart(place("one"));
        }
        {
          const auto opened = Journal::open(with);
          ASSERT_TRUE(opened) << opened.error().text();
          const Position end = (*opened)->end();
          ASSERT_TRUE(done ? end == *in_second : end >= *in_second);
          (*opened)->abandon();
        }
        const auto again = journal::cut(with, *in_second, "x");
        ASSERT_TRUE(again) << again.error().text();
        const auto opened = Journal::open(with);
        ASSERT_TRUE(opened) << opened.error().text();
        ASSERT_EQ((*opened)->end(), *in_second);
        ASSERT_EQ((*opened)->next_outgoing(),
                  static_cast<std::uint64_t>(in_second - positions.begin()) + 1);
        (*opened)->abandon();
      }
      EXPECT_TRUE(done);
    }
  }
}

TEST_F(JournalCopying, FindsTheBeginOfTheNextEpoch) {
  journal::Options with = placed("one", JournalRole::Writer);
  const auto journal = open(with);
  std::vector<Position> begins(12);
  for (std::uint64_t epoch = 2; epoch < 12; epoch += 3) {
    send(*journal, journal->next_outgoing(), journal->next_outgoing() + 20, 700);
    ASSERT_EQ(journal->append_epoch(epoch, start_ns, "a"), AppendResult::Appended);
    begins[epoch] = journal->epoch_position();
  }
  send(*journal, journal->next_outgoing(), journal->next_outgoing() + 20, 700);
  ASSERT_GE(journal->end().segment, 4U);
  for (std::uint64_t epoch = 0; epoch < 14; ++epoch) {
    const auto found = journal::epoch_after(place("one"), epoch);
    ASSERT_TRUE(found) << found.error().text();
    const std::uint64_t next = epoch < 2 ? 2 : epoch < 5 ? 5 : epoch < 8 ? 8 : 11;
    EXPECT_EQ(*found, epoch < 11 ? std::optional(begins[next]) : std::nullopt) << epoch;
  }
  std::filesystem::remove(place("one") + "/0000000001.journal");
  std::filesystem::remove(place("one") + "/0000000002.journal");
  ASSERT_GE(begins[8].segment, 3U);
  EXPECT_EQ(journal::epoch_after(place("one"), 0).error().code, base::ErrorCode::NotFound);
  EXPECT_EQ(journal::epoch_after(place("one"), 8).value_or(std::nullopt), begins[11]);
  EXPECT_FALSE(journal::epoch_after(place("none"), 0));
}

TEST_F(JournalCopying, ReadsHistoryInPiecesOfAnySize) {
  const std::vector<Position> positions = make_journal(4);
  const History whole = read_history(place("one"), 1 << 20);
  EXPECT_EQ(whole.state, HistoryPiece::State::AtEnd);
  EXPECT_EQ(whole.segments.size(), 4U);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{700}, std::size_t{1500}, SIZE_MAX}) {
    const History same = read_history(place("one"), bytes);
    ASSERT_EQ(same.segments.size(), whole.segments.size());
    EXPECT_EQ(same.end, whole.end);
    for (const auto& [number, part] : whole.segments) {
      EXPECT_EQ(same.segments.at(number).records, part.records);
    }
  }
  HistoryReader reader(place("one"));
  const HistoryPiece one = reader.read(positions[3], 1);
  EXPECT_EQ(one.state, HistoryPiece::State::More);
  EXPECT_FALSE(one.header);
  EXPECT_EQ(one.next, positions[4]);
  EXPECT_EQ(one.records.size(), positions[4].offset - positions[3].offset);
}

TEST_F(JournalCopying, ReadsHistoryBesideItsWriter) {
  const auto journal = open(placed("one", JournalRole::Writer));
  HistoryReader reader(place("one"));
  Position at = reader.oldest();
  EXPECT_EQ(reader.read(at, 100).state, HistoryPiece::State::AtEnd);
  std::string records;
  std::string written;
  QueueTap tap;
  journal->set_tap(&tap, 1);
  while (journal->end().segment < 4) {
    send(*journal, journal->next_outgoing(), journal->next_outgoing(), 500);
    ASSERT_TRUE(journal->prepare());
    for (const Store& store : tap.stores) {
      written += store.record;
    }
    tap.stores.clear();
    for (HistoryPiece piece = reader.read(at, 4096);; piece = reader.read(at, 4096)) {
      records += piece.records;
      at = piece.next;
      if (piece.state != HistoryPiece::State::More) {
        ASSERT_EQ(piece.state, HistoryPiece::State::AtEnd);
        break;
      }
    }
    ASSERT_EQ(at, journal->end());
  }
  EXPECT_EQ(records, written);
}

TEST_F(JournalCopying, TellsWhatIsGoneFromWhatIsDamaged) {
  const std::vector<Position> positions = make_journal(3);
  using State = HistoryPiece::State;
  EXPECT_EQ(HistoryReader(place("none")).read({1, 0}, 100).state, State::Gone);
  {
    HistoryReader reader(place("one"));
    EXPECT_EQ(reader.read({9, 4096}, 100).state, State::AtEnd);
    EXPECT_EQ(reader.read({1, positions[1].offset + 8}, 100).state, State::Damaged);
    EXPECT_EQ(reader.read({1, 5}, 100).state, State::Damaged);
    EXPECT_EQ(reader.read({1, UINT32_MAX}, 100).state, State::Damaged);
    EXPECT_EQ(reader.read({}, 100).state, State::Gone);
  }
  std::string bytes = read_file(place("one") + "/0000000001.journal");
  char& changed = bytes[positions[2].offset + 50];
  changed = static_cast<char>(changed ^ 1);
  write_file(place("one") + "/0000000001.journal", bytes);
  HistoryReader reader(place("one"));
  const HistoryPiece piece = reader.read({1, 0}, SIZE_MAX);
  EXPECT_EQ(piece.state, State::Damaged);
  EXPECT_EQ(piece.next, positions[2]);
  EXPECT_EQ(piece.records.size(), positions[2].offset - 4096);
  std::filesystem::remove(place("one") + "/0000000001.journal");
  EXPECT_EQ(HistoryReader(place("one")).read({1, 4096}, 100).state, State::Gone);
  EXPECT_EQ(HistoryReader(place("one")).oldest(), (Position{2, 4096}));
}

TEST_F(JournalCopying, TakesNoRecordOffBytesThatHoldNone) {
  for (const std::string& bytes :
       {std::string(), std::string(47, 'x'), std::string(100, '\0'), std::string(100, '\xff')}) {
    std::string_view rest = bytes;
    EXPECT_FALSE(journal::take_record(rest));
    EXPECT_EQ(rest.size(), bytes.size());
  }
}

}  // namespace
}  // namespace affix::journal_test
