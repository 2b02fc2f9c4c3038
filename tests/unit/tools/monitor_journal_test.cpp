// SPDX-License-Identifier: MIT
// Journals read backwards in pieces: the same records as forwards, for any number, time limits and
// patience.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/segment_scan.hpp"
#include "affix/os/clock.hpp"

#include "log_case.hpp"
#include "monitor/journal_merge.hpp"
#include "monitor/journal_patrol.hpp"
#include "monitor/journal_walk.hpp"
#include "support/has_message.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace affix::tools::monitor {
namespace {

using base::ns_per_second;

constexpr std::int64_t history_start_ns = 1'769'860'800 * ns_per_second;

class MonitorJournal : public log::LogCase {
 protected:
  [[nodiscard]] affix::journal::Options options(const std::string& name) const {
    affix::journal::Options with = journal_options(name);
    with.first_segment_bytes = 8 * 1024;
    with.max_segment_bytes = 32 * 1024;
    return with;
  }

  /// Numbers from..to, one per second, every third one received.
  static void fill(affix::journal::Journal& journal, std::uint64_t from, std::uint64_t to,
                   std::size_t bytes = 60) {
    for (std::uint64_t number = from; number <= to; ++number) {
      const std::string text = "message " + std::to_string(number) + std::string(bytes, ' ');
      const std::int64_t when =
          history_start_ns + static_cast<std::int64_t>(number) * ns_per_second;
      if (number % 3 == 0) {
        ASSERT_EQ(journal.append_received(number, number + 1, when, text).result(),
                  affix::journal::AppendResult::Appended);
      } else {
        ASSERT_EQ(journal.append_sent(number, when, text), affix::journal::AppendResult::Appended);
      }
    }
  }

  void write_journal(const std::string& name, std::uint64_t from, std::uint64_t to) {
    const auto journal = affix::journal::Journal::open(options(name));
    ASSERT_TRUE(journal.has_value());
    fill(**journal, from, to);
  }

  /// Sequence numbers in the order of the walk; each advance has `patience_ns`.
  static std::vector<std::uint64_t> walk(
      JournalWalk& walk, std::int64_t patience_ns = 60 * ns_per_second,
      const RecordTest& test = [](const auto&) { return true; }) {
    std::vector<std::uint64_t> numbers;
    std::int64_t before = INT64_MAX;
    for (int round = 0; round < 2'000'000; ++round) {
      const auto step = walk.advance(test, os::now().steady_ns + patience_ns);
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
  EXPECT_EQ(walk(some, 60 * ns_per_second,
                 [](const auto& record) { return record.sequence % 1'000 == 0; }),
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
    JournalWalk part(path("A"), history_start_ns + from * ns_per_second,
                     history_start_ns + to * ns_per_second);
    const auto found = walk(part, 60 * ns_per_second, [&](const auto&) {
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
  affix::journal::Options with = journal_options("A");
  with.first_segment_bytes = 8 << 20;
  with.max_segment_bytes = 8 << 20;
  {
    const auto journal = affix::journal::Journal::open(with);
    ASSERT_TRUE(journal.has_value());
    for (std::uint64_t number = 1; number <= 6'000; ++number) {
      ASSERT_EQ((*journal)
                    ->append_received(
                        number, number + 1,
                        history_start_ns + static_cast<std::int64_t>(number) * ns_per_second,
                        std::string(1'000, 'x'))
                    .result(),
                affix::journal::AppendResult::Appended);
    }
  }
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  ASSERT_EQ(all.advance([](const auto&) { return true; }, os::now().steady_ns + 60 * ns_per_second),
            JournalWalk::Step::Found);
  EXPECT_LT(all.waiting(), 2'500U) << "a piece at a time is kept";
  EXPECT_EQ(walk(all), down(6'000, 1));
}

TEST_F(MonitorJournal, GoesOnAfterAWrongLandmark) {
  write_journal("A", 1, 400);
  // The hints of the second segment now point between its records.
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

TEST_F(MonitorJournal, ReportsDamageAndGivesTheRest) {
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
  EXPECT_TRUE(support::has_message(all.problems()[0], "J208", {" 4096"}));
}

TEST_F(MonitorJournal, MayBeWrittenMeanwhileAndLoseItsOldest) {
  const auto journal = affix::journal::Journal::open(options("A"));
  ASSERT_TRUE(journal.has_value());
  fill(**journal, 1, 500);
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  const RecordTest every = [](const auto&) { return true; };
  for (std::uint64_t number = 500; number > 450; --number) {
    ASSERT_EQ(all.advance(every, os::now().steady_ns + 60 * ns_per_second),
              JournalWalk::Step::Found);
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
    const auto journal = affix::journal::Journal::open(options("B"));
    ASSERT_TRUE(journal.has_value());
    for (std::uint64_t number = 1; number <= 300; ++number) {
      const std::int64_t when =
          history_start_ns + static_cast<std::int64_t>(number) * ns_per_second + 1;
      ASSERT_EQ((*journal)->append_sent(number, when, "other"),
                affix::journal::AppendResult::Appended);
    }
  }
  for (const std::int64_t patience : {60 * ns_per_second, std::int64_t{30'000}}) {
    JournalMerge merge({{"A", path("A")}, {"B", path("B")}, {"C", path("C")}}, INT64_MIN,
                       INT64_MAX);
    std::vector<std::string> order;
    for (int round = 0; round < 2'000'000 && !merge.end(); ++round) {
      const auto taken =
          merge.next([](const auto&) { return true; }, os::now().steady_ns + patience);
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
    const auto journal = affix::journal::Journal::open(options("A"));
    ASSERT_TRUE(journal.has_value());
    for (const std::uint64_t number : {1U, 2U, 3U, 4U}) {
      const std::int64_t when = history_start_ns + (number == 3 ? -5 : 0) * ns_per_second;
      ASSERT_EQ((*journal)->append_sent(number, when, "x"), affix::journal::AppendResult::Appended);
    }
  }
  JournalWalk all(path("A"), INT64_MIN, INT64_MAX);
  EXPECT_EQ(walk(all), down(4, 1));
}

TEST_F(MonitorJournal, PatrolFindsDamageAndSeesItMended) {
  JournalPatrol patrol;
  const auto look = [&] { return patrol.look(path("A"), 60 * ns_per_second); };
  EXPECT_EQ(look(), std::nullopt) << "not there yet";
  write_journal("A", 1, 1'000);
  EXPECT_EQ(look(), std::nullopt);
  std::uint32_t newest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("A"))) {
    newest =
        std::max(newest, affix::journal::segment_file_number(entry.path().filename().string()));
  }
  const std::string segment = affix::journal::segment_file_path(path("A"), newest);
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
  const auto problem = other.look(path("A"), 60 * ns_per_second);
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("bad record at byte 4096"), std::string::npos) << *problem;
  put(right);
  EXPECT_EQ(other.look(path("A"), 60 * ns_per_second), std::nullopt);
  EXPECT_EQ(look(), std::nullopt);
}

TEST_F(MonitorJournal, PatrolBeginsWithTheNewestSegment) {
  write_journal("A", 1, 1'000);
  std::fstream file(path("A") + "/0000000001.journal",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 + 50);
  file.put('!');
  file.close();
  JournalPatrol patrol;
  EXPECT_EQ(patrol.look(path("A"), 60 * ns_per_second), std::nullopt) << "history is for verifying";
}

class MonitorPatrol : public MonitorJournal {
 protected:
  MonitorPatrol() {
    for (const char* const name : {"A", "B", "C"}) {
      SessionView& view = sessions_.emplace_back();
      view.name = name;
      view.journal = path(name);
      journals_.push_back(*affix::journal::Journal::open(options(name)));
      add(sessions_.size() - 1, 3);
    }
    sessions_.emplace_back().name = "IN_MEMORY";
  }

  ~MonitorPatrol() override {
    for (const auto& journal : journals_) {
      journal->abandon();
    }
  }

  /// Appends messages, and counts them for the session.
  void add(std::size_t session, std::uint64_t messages) {
    std::uint64_t& sent =
        sessions_[session]
            .row.now.counters[static_cast<std::size_t>(counters::SessionCounter::MessagesSent)];
    for (std::uint64_t number = 0; number < messages; ++number) {
      ASSERT_EQ(journals_[session]->append_sent(++sent, history_start_ns, "message"),
                affix::journal::AppendResult::Appended);
    }
  }

  /// Names of the sessions whose journals are read in the next round.
  std::string round(std::int64_t patience_ns = 60 * ns_per_second) {
    std::string read;
    problems_.clear();
    const std::size_t count = patrol_.go_round(
        sessions_, patience_ns, [&](const std::string& session, const std::string& text) {
          read += session;
          problems_ += text;
        });
    EXPECT_EQ(count, read.size());
    return read;
  }

  /// Continues until a round has nothing to read.
  void come_to_rest() {
    std::deque<std::size_t> counts;
    do {
      counts.push_back(round().size());
      if (counts.size() > JournalPatrol::rounds_of_silence) {
        counts.pop_front();
      }
    } while (counts.size() < JournalPatrol::rounds_of_silence || counts.front() != 0 ||
             std::accumulate(counts.begin(), counts.end(), std::size_t{0}) != journals_.size());
  }

  [[nodiscard]] std::string segment_of(const char* name, std::uint32_t number = 1) const {
    return affix::journal::segment_file_path(path(name), number);
  }

  /// Writes through the file, like a process other than the engine.
  void write_to(const char* name, std::uint64_t offset, const std::string& bytes) const {
    store_in(segment_of(name), offset, bytes);
    // A file system's clock may not have advanced since the journal was read.
    std::filesystem::last_write_time(segment_of(name), ++written_);
  }

  /// Stores like the engine, without a visible change of the file.
  static void store_in(const std::string& segment, std::uint64_t offset, const std::string& bytes) {
    const auto modified = std::filesystem::last_write_time(segment);
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << bytes;
    file.close();
    std::filesystem::last_write_time(segment, modified);
  }

  std::vector<SessionView> sessions_;
  std::vector<std::unique_ptr<affix::journal::Journal>> journals_;
  std::string problems_;
  JournalPatrol patrol_;
  mutable std::filesystem::file_time_type written_ = std::filesystem::file_time_type::clock::now();
};

TEST_F(MonitorPatrol, ReadsSilentJournalsOnceInAWhileAndNotAllAtOnce) {
  EXPECT_EQ(round(), "ABC");
  std::size_t most = 0;
  std::string read;
  for (std::uint64_t number = 0; number < JournalPatrol::rounds_of_silence; ++number) {
    const std::string now = round();
    most = std::max(most, now.size());
    read += now;
  }
  std::ranges::sort(read);
  EXPECT_EQ(read, "ABC") << "each once";
  EXPECT_EQ(most, 1U);
  for (std::uint64_t number = 0; number < 10 * JournalPatrol::rounds_of_silence; ++number) {
    read += round();
  }
  EXPECT_EQ(read.size(), 33U);
  EXPECT_TRUE(problems_.empty()) << problems_;
}

TEST_F(MonitorPatrol, ReadsMessagesThatASessionHasCountedInTheNextRound) {
  come_to_rest();
  for (std::uint64_t number = 0; number < 3 * JournalPatrol::rounds_of_silence; ++number) {
    add(1, 1);
    EXPECT_NE(round().find('B'), std::string::npos);
  }
  come_to_rest();
  add(0, 3);
  const std::uint64_t end = journals_[0]->end().offset;
  add(0, 2);
  add(2, 1);
  store_in(segment_of("A"), end + 40, "!");
  EXPECT_EQ(round(), "AC");
  EXPECT_TRUE(support::has_message(problems_, "J208", {" " + std::to_string(end)}));
}

TEST_F(MonitorPatrol, ReadsInTheNextRoundWhoseFileHasChanged) {
  come_to_rest();
  write_to("B", journals_[1]->end().offset, std::string(64, '!'));
  EXPECT_EQ(round(), "B");
  EXPECT_TRUE(support::has_message(problems_, "J208"));
}

TEST_F(MonitorPatrol, ReadsADamagedOneInEveryRoundUntilItIsMended) {
  come_to_rest();
  const std::uint64_t end = journals_[2]->end().offset;
  std::string right(64, ' ');
  std::ifstream file(segment_of("C"), std::ios::binary);
  file.seekg(static_cast<std::streamoff>(end)).read(right.data(), 64);
  write_to("C", end, std::string(64, '!'));
  for (std::uint64_t number = 0; number < 2 * JournalPatrol::rounds_of_silence; ++number) {
    EXPECT_NE(round().find('C'), std::string::npos);
    EXPECT_FALSE(problems_.empty());
  }
  write_to("C", end, right);
  EXPECT_NE(round().find('C'), std::string::npos);
  EXPECT_TRUE(problems_.empty()) << problems_;
}

TEST_F(MonitorPatrol, GoesOnInTheNextRoundWhereItHadNoTimeForAll) {
  come_to_rest();
  add(0, 2'000);
  EXPECT_NE(round(0).find('A'), std::string::npos);
  EXPECT_NE(round().find('A'), std::string::npos) << "most of it was not read";
}

TEST_F(MonitorPatrol, StopsInTheMiddleOfASegmentWhenItsTimeIsOver) {
  affix::journal::Options with = options("D");
  with.first_segment_bytes = 1 << 20;
  with.max_segment_bytes = 1 << 20;
  journals_.push_back(*affix::journal::Journal::open(with));
  sessions_.emplace_back().name = "D";
  sessions_.back().journal = path("D");
  for (std::uint64_t number = 1; number <= 2'000; ++number) {
    ASSERT_EQ(journals_.back()->append_sent(number, history_start_ns, "message"),
              affix::journal::AppendResult::Appended);
  }
  EXPECT_NE(round(0).find('D'), std::string::npos);
  EXPECT_NE(round().find('D'), std::string::npos) << "most of it was not read";
  EXPECT_EQ(round().find('D'), std::string::npos);
}

TEST_F(MonitorPatrol, ReadsMessagesOfAnotherSegmentOnceMore) {
  come_to_rest();
  add(0, 2'000);
  ASSERT_GT(journals_[0]->end().segment, 2U);
  EXPECT_NE(round().find('A'), std::string::npos);
  EXPECT_NE(round().find('A'), std::string::npos);
  come_to_rest();
}

// In the first segment, without which a journal cannot be opened, and in the newest, where reading
// continues.
TEST_F(MonitorPatrol, ReportsABadHeaderInEveryRoundUntilItIsMended) {
  add(0, 2'000);
  for (const std::uint32_t number : {1U, journals_[0]->end().segment}) {
    SCOPED_TRACE(number);
    come_to_rest();
    const std::string segment = segment_of("A", number);
    std::string right(1, ' ');
    std::ifstream(segment, std::ios::binary).seekg(50).read(right.data(), 1);
    add(0, 1);
    store_in(segment, 50, std::string(1, static_cast<char>(right[0] ^ 1)));
    for (std::uint64_t rounds = 0; rounds < JournalPatrol::rounds_of_silence; ++rounds) {
      EXPECT_NE(round().find('A'), std::string::npos);
      EXPECT_TRUE(support::has_message(problems_, "J209"));
    }
    store_in(segment, 50, right);
    EXPECT_NE(round().find('A'), std::string::npos);
    EXPECT_TRUE(problems_.empty()) << problems_;
  }
}

// Even if its time of writing is unchanged.
TEST_F(MonitorPatrol, ReadsInTheNextRoundWhoseFileIsAnotherOrShorter) {
  come_to_rest();
  const auto modified = std::filesystem::last_write_time(segment_of("B"));
  const std::string other = path("B") + "/other";
  std::filesystem::copy_file(segment_of("B"), other);
  store_in(other, journals_[1]->end().offset, std::string(64, '!'));
  std::filesystem::last_write_time(other, modified);
  std::filesystem::rename(other, segment_of("B"));
  EXPECT_EQ(round(), "B");
  EXPECT_TRUE(support::has_message(problems_, "J208"));
  const auto of_c = std::filesystem::last_write_time(segment_of("C"));
  std::filesystem::resize_file(segment_of("C"), std::filesystem::file_size(segment_of("C")) - 100);
  std::filesystem::last_write_time(segment_of("C"), of_c);
  EXPECT_NE(round().find('C'), std::string::npos);
}

TEST_F(MonitorPatrol, ReadsANewJournalFromItsBeginning) {
  add(0, 2'000);
  come_to_rest();
  journals_[0]->abandon();
  journals_[0].reset();
  std::filesystem::remove_all(path("A"));
  journals_[0] = *affix::journal::Journal::open(options("A"));
  ASSERT_EQ(journals_[0]->append_sent(1, history_start_ns, "message"),
            affix::journal::AppendResult::Appended);
  write_to("A", 4096 + 45, "!");
  EXPECT_NE(round().find('A'), std::string::npos);
  EXPECT_TRUE(support::has_message(problems_, "J208", {" 4096"}));
}

}  // namespace
}  // namespace affix::tools::monitor
