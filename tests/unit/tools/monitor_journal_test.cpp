// SPDX-License-Identifier: MIT
// Journals read backwards in pieces: the same records as forwards, whatever their number, the
// limits of time and the patience of whoever asks.
#include "affix/journal/journal.hpp"
#include "affix/journal/segment_scan.hpp"
#include "affix/net/clock.hpp"

#include "log_case.hpp"
#include "monitor/journal_merge.hpp"
#include "monitor/journal_patrol.hpp"
#include "monitor/journal_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::monitor {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t start = 1'769'860'800 * second;

class MonitorJournal : public log::LogCase {
 protected:
  [[nodiscard]] journal::Options options(const std::string& name) const {
    journal::Options with = journal_options(name);
    with.first_segment_bytes = 8 * 1024;
    with.max_segment_bytes = 32 * 1024;
    return with;
  }

  /// Numbers from..to, one a second, each third one received.
  static void fill(journal::Journal& journal, std::uint64_t from, std::uint64_t to,
                   std::size_t bytes = 60) {
    for (std::uint64_t number = from; number <= to; ++number) {
      const std::string text = "message " + std::to_string(number) + std::string(bytes, ' ');
      const std::int64_t when = start + static_cast<std::int64_t>(number) * second;
      if (number % 3 == 0) {
        ASSERT_EQ(journal.append_received(number, number + 1, when, text).result(),
                  journal::AppendResult::Appended);
      } else {
        ASSERT_EQ(journal.append_sent(number, when, text), journal::AppendResult::Appended);
      }
    }
  }

  void write_journal(const std::string& name, std::uint64_t from, std::uint64_t to) {
    const auto journal = journal::Journal::open(options(name));
    ASSERT_TRUE(journal.has_value());
    fill(**journal, from, to);
  }

  /// Sequence numbers as the walk gives them; each advance has `patience_ns`.
  static std::vector<std::uint64_t> walk(
      JournalWalk& walk, std::int64_t patience_ns = 60 * second,
      const RecordTest& test = [](const auto&) { return true; }) {
    std::vector<std::uint64_t> numbers;
    std::int64_t before = INT64_MAX;
    for (int round = 0; round < 2'000'000; ++round) {
      const auto step = walk.advance(test, net::now().steady_ns + patience_ns);
      if (step == JournalWalk::Step::End) {
        return numbers;
      }
      if (step == JournalWalk::Step::Found) {
        EXPECT_LE(walk.front_ns(), before);
        before = walk.front_ns();
        const auto record = walk.take();
        EXPECT_TRUE(record.has_value());
        numbers.push_back(record ? record->sequence : 0);
      } else {
        walk.rest();
      }
    }
    ADD_FAILURE() << "the walk does not end";
    return numbers;
  }

  static std::vector<std::uint64_t> down(std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = from; number >= to; --number) {
      numbers.push_back(number);
    }
    return numbers;
  }
};

TEST_F(MonitorJournal, IsReadBackwardsWhole) {
  write_journal("A", 1, 3'000);
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(walk(all), down(3'000, 1));
  EXPECT_TRUE(all.problems().empty());
  JournalWalk some(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(
      walk(some, 60 * second, [](const auto& record) { return record.sequence % 1'000 == 0; }),
      (std::vector<std::uint64_t>{3'000, 2'000, 1'000}));
  JournalWalk none(path("NONE"), INT64_MIN, INT64_MAX);
  EXPECT_TRUE(walk(none).empty());
}

TEST_F(MonitorJournal, IsTheSameHoweverShortThePatience) {
  write_journal("A", 1, 2'000);
  JournalWalk impatient(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(walk(impatient, 20'000), down(2'000, 1));
}

TEST_F(MonitorJournal, IsReadBetweenTimesOnly) {
  write_journal("A", 1, 3'000);
  const auto between = [&](std::int64_t from, std::int64_t to) {
    std::uint64_t looked_at = 0;
    JournalWalk part(path("A"), start + from * second, start + to * second);
    const auto found = walk(part, 60 * second, [&](const auto&) {
      ++looked_at;
      return true;
    });
    EXPECT_LT(looked_at, 1'000U) << "what lies outside is not read";
    return found;
  };
  EXPECT_EQ(between(1'500, 1'510), down(1'510, 1'500));
  EXPECT_EQ(between(2'990, 9'999), down(3'000, 2'990));
  EXPECT_EQ(between(0, 5), down(5, 1));
  EXPECT_TRUE(between(4'000, 5'000).empty());
}

TEST_F(MonitorJournal, IsDividedWhereItsWriterHasNoLandmarks) {
  journal::Options with = journal_options("A");
  with.first_segment_bytes = 8 << 20;
  with.max_segment_bytes = 8 << 20;
  {
    const auto journal = journal::Journal::open(with);
    ASSERT_TRUE(journal.has_value());
    for (std::uint64_t number = 1; number <= 6'000; ++number) {
      ASSERT_EQ((*journal)
                    ->append_received(number, number + 1,
                                      start + static_cast<std::int64_t>(number) * second,
                                      std::string(1'000, 'x'))
                    .result(),
                journal::AppendResult::Appended);
    }
  }
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  ASSERT_EQ(all.advance([](const auto&) { return true; }, net::now().steady_ns + 60 * second),
            JournalWalk::Step::Found);
  EXPECT_LT(all.waiting(), 2'500U) << "a piece at a time is kept";
  EXPECT_EQ(walk(all), down(6'000, 1));
}

TEST_F(MonitorJournal, GoesOnBehindALandmarkThatIsNone) {
  write_journal("A", 1, 400);
  // The hints of the second segment now lead between its records.
  std::fstream file(path("A") + "/0000000002.journal",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2048 + 16);
  for (std::uint32_t entry = 0; entry < 20; ++entry) {
    const std::uint32_t words[2] = {entry, 4096 + 8 * (entry * 37 + 1)};
    file.write(reinterpret_cast<const char*>(words), sizeof(words));
  }
  file.close();
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(walk(all), down(400, 1));
}

TEST_F(MonitorJournal, TellsDamageAndGivesTheRest) {
  write_journal("A", 1, 1'000);
  std::fstream file(path("A") + "/0000000002.journal",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 + 60);
  file.put('!');
  file.close();
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  const auto found = walk(all);
  EXPECT_LT(found.size(), 1'000U);
  EXPECT_GT(found.size(), 800U);
  EXPECT_EQ(found.front(), 1'000U);
  EXPECT_EQ(found.back(), 1U);
  ASSERT_EQ(all.problems().size(), 1U);
  EXPECT_NE(all.problems()[0].find("bad record at byte 4096"), std::string::npos)
      << all.problems()[0];
}

TEST_F(MonitorJournal, MayBeWrittenMeanwhileAndLoseItsOldest) {
  const auto journal = journal::Journal::open(options("A"));
  ASSERT_TRUE(journal.has_value());
  fill(**journal, 1, 500);
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  const RecordTest every = [](const auto&) { return true; };
  for (std::uint64_t number = 500; number > 450; --number) {
    ASSERT_EQ(all.advance(every, net::now().steady_ns + 60 * second), JournalWalk::Step::Found);
    const auto record = all.take();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->sequence, number);
    fill(**journal, 501 + (500 - number), 501 + (500 - number));
  }
  std::filesystem::remove(path("A") + "/0000000001.journal");
  const auto rest = walk(all);
  EXPECT_EQ(rest.front(), 450U);
  EXPECT_GT(rest.back(), 1U);
}

TEST_F(MonitorJournal, ManyAreOneByTime) {
  write_journal("A", 1, 300);
  {
    const auto journal = journal::Journal::open(options("B"));
    ASSERT_TRUE(journal.has_value());
    for (std::uint64_t number = 1; number <= 300; ++number) {
      const std::int64_t when = start + static_cast<std::int64_t>(number) * second + 1;
      ASSERT_EQ((*journal)->append_sent(number, when, "other"), journal::AppendResult::Appended);
    }
  }
  for (const std::int64_t patience : {60 * second, std::int64_t{30'000}}) {
    JournalMerge merge({{"A", path("A")}, {"B", path("B")}, {"C", path("C")}}, INT64_MIN,
                       INT64_MAX);
    std::vector<std::string> order;
    for (int round = 0; round < 2'000'000 && !merge.end(); ++round) {
      const auto taken =
          merge.next([](const auto&) { return true; }, net::now().steady_ns + patience);
      if (taken) {
        order.push_back(*taken->session + std::to_string(taken->record.sequence));
        EXPECT_GE(merge.searched_to_ns(), INT64_MIN);
      } else {
        merge.rest();
      }
    }
    ASSERT_EQ(order.size(), 600U);
    for (std::size_t at = 0; at < order.size(); at += 2) {
      const std::string number = std::to_string(300 - at / 2);
      ASSERT_EQ(order[at], "B" + number);
      ASSERT_EQ(order[at + 1], "A" + number);
    }
  }
}

TEST_F(MonitorJournal, ClockThatWasSetBackChangesNoOrder) {
  {
    const auto journal = journal::Journal::open(options("A"));
    ASSERT_TRUE(journal.has_value());
    for (const std::uint64_t number : {1U, 2U, 3U, 4U}) {
      const std::int64_t when = start + (number == 3 ? -5 : 0) * second;
      ASSERT_EQ((*journal)->append_sent(number, when, "x"), journal::AppendResult::Appended);
    }
  }
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(walk(all), down(4, 1));
}

TEST_F(MonitorJournal, PatrolFindsDamageAndSeesItMended) {
  JournalPatrol patrol;
  const auto look = [&] { return patrol.look(path("A"), 60 * second); };
  EXPECT_EQ(look(), std::nullopt) << "not there yet";
  write_journal("A", 1, 1'000);
  EXPECT_EQ(look(), std::nullopt);
  std::uint32_t newest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("A"))) {
    newest = std::max(newest, journal::segment_file_number(entry.path().filename().string()));
  }
  const std::string segment = journal::segment_file_path(path("A"), newest);
  const auto put = [&](char byte) {
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(4096 + 50);
    const char before = static_cast<char>(file.get());
    file.seekp(4096 + 50);
    file.put(byte);
    return before;
  };
  const char right = put('!');
  JournalPatrol other;
  const auto problem = other.look(path("A"), 60 * second);
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("bad record at byte 4096"), std::string::npos) << *problem;
  put(right);
  EXPECT_EQ(other.look(path("A"), 60 * second), std::nullopt);
  EXPECT_EQ(look(), std::nullopt);
}

}  // namespace
}  // namespace affix::tools::monitor
