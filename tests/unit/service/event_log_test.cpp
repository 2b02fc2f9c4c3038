// SPDX-License-Identifier: MIT
// A program's log: its lines, and their destination after it is reopened.
#include "affix/service/event_log.hpp"

#include "affix/config/words.hpp"
#include "affix/os/clock.hpp"

#include "service/log_queue.hpp"
#include "support/file_size_limit.hpp"
#include "support/has_message.hpp"
#include "support/lines.hpp"
#include "support/no_free_descriptors.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <latch>
#include <pthread.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace affix::service {
namespace {

using Severity = EventLog::Severity;
using support::lines_of;
using support::NoFreeDescriptors;

class EventLogFile : public ::testing::Test {
 protected:
  EventLog open(const std::string& level = "INFO") {
    config::EngineSettings settings;
    settings.log_file = path;
    EXPECT_TRUE(affix::config::choose(settings, "log_level", level));
    auto log = EventLog::open(settings);
    EXPECT_TRUE(log);
    return std::move(*log);
  }

  support::TemporaryDirectory directory;
  std::string path = directory.path("log");
};

TEST_F(EventLogFile, LinesBelowTheLevelAreLeftOut) {
  EventLog log = open("WARNING");
  log.write(Severity::Info, "DESK", "unseen");
  log.write(Severity::Warning, "DESK", "seen");
  log.write(Severity::Error, {}, "seen too");
  log.flush();
  EXPECT_EQ(support::read_file(path).find("unseen"), std::string::npos);
  EXPECT_NE(support::read_file(path).find(" WARNING -    DESK: seen\n"), std::string::npos);
  EXPECT_NE(support::read_file(path).find(" ERROR   -    seen too\n"), std::string::npos);
}

TEST_F(EventLogFile, AnEventHasTheTimeOfItsTurnAndNoOtherLine) {
  EventLog log = open();
  log.write({Severity::Info, "DESK", "of its turn", 86'400 * base::ns_per_second, "S104"});
  log.write({Severity::Debug, "DESK", "below the level", 86'400 * base::ns_per_second});
  log.write({Severity::Warning, "DESK", "of nobody's turn"});
  log.flush();
  std::istringstream text(support::read_file(path));
  std::string line;
  ASSERT_TRUE(std::getline(text, line));
  EXPECT_EQ(line, "1970-01-02 00:00:00.000000 INFO    S104 DESK: of its turn");
  ASSERT_TRUE(std::getline(text, line));
  EXPECT_NE(line.find("of nobody's turn"), std::string::npos);
  EXPECT_NE(line.substr(0, 4), "1970");
  EXPECT_FALSE(std::getline(text, line));
}

TEST_F(EventLogFile, TheLevelChangesWhileItRuns) {
  EventLog log = open("WARNING");
  EXPECT_EQ(log.level(), Severity::Warning);
  log.write(Severity::Debug, {}, "before");
  log.set_level(Severity::Debug);
  log.write(Severity::Debug, {}, "meanwhile");
  log.set_level(Severity::Error);
  log.write(Severity::Warning, {}, "after");
  log.flush();
  EXPECT_EQ(support::read_file(path).find("before"), std::string::npos);
  EXPECT_NE(support::read_file(path).find(" DEBUG   -    meanwhile\n"), std::string::npos);
  EXPECT_EQ(support::read_file(path).find("after"), std::string::npos);
}

TEST_F(EventLogFile, RemainingLinesAreWrittenAtTheEnd) {
  {
    EventLog log = open();
    log.write(Severity::Info, {}, "last words");
  }
  EXPECT_NE(support::read_file(path).find("last words"), std::string::npos);
}

TEST_F(EventLogFile, LinesComeWithoutAnybodyAsking) {
  EventLog log = open();
  log.write(Severity::Info, {}, "soon");
  const std::int64_t give_up_ns = os::now().steady_ns + 30 * base::ns_per_second;
  while (support::read_file(path).empty() && os::now().steady_ns < give_up_ns) {
    std::this_thread::yield();
  }
  EXPECT_NE(support::read_file(path).find("soon"), std::string::npos);
}

TEST_F(EventLogFile, EveryThreadsLinesAreWholeAndInItsOrder) {
  EventLog log = open();
  constexpr int threads = 4;
  constexpr int lines = 200;  // Fewer than the queue's places in all, so that none is dropped.
  std::vector<std::thread> writers;
  for (int number = 0; number < threads; ++number) {
    writers.emplace_back([&log, number] {
      for (int line = 0; line < lines; ++line) {
        log.write(Severity::Info, "S" + std::to_string(number), "line " + std::to_string(line));
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  log.flush();
  EXPECT_EQ(log.dropped(), 0U);
  std::vector<int> next(threads, 0);
  std::istringstream text(support::read_file(path));
  for (std::string line; std::getline(text, line);) {
    const std::size_t at = line.find(" S") + 2;
    const int writer = line[at] - '0';
    EXPECT_EQ(line.substr(at + 1),
              ": line " + std::to_string(next[static_cast<std::size_t>(writer)]++));
  }
  EXPECT_EQ(next, std::vector<int>(threads, lines));
}

TEST_F(EventLogFile, ALineOfAnyLengthIsWhole) {
  EventLog log = open();
  const std::string text(100'000, 'x');
  log.write(Severity::Info, "DESK", text);
  log.flush();
  EXPECT_NE(support::read_file(path).find("DESK: " + text + "\n"), std::string::npos);
}

TEST_F(EventLogFile, NobodyWritesLinesOfTheirOwn) {
  EventLog log = open();
  log.write(Severity::Info, {}, "first\n2026-01-01 00:00:00.000000 ERROR   forged\x01 \x1b[31m");
  log.flush();
  const std::string text = support::read_file(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_NE(text.find("first 2026-01-01 00:00:00.000000 ERROR   forged? ?[31m\n"),
            std::string::npos);
}

TEST_F(EventLogFile, JsonLinesAreJsonWhateverIsInThem) {
  config::EngineSettings settings;
  settings.log_file = path;
  settings.log_format = config::LogFormat::Json;
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  log->write(Severity::Warning, "DESK", "58=\"quoted\"\n\x01 \xff", "S137");
  log->write(Severity::Info, {}, "no session");
  log->flush();
  std::istringstream text(support::read_file(path));
  std::string line;
  ASSERT_TRUE(std::getline(text, line));
  const auto first = nlohmann::json::parse(line);
  EXPECT_EQ(first["level"], "WARNING");
  EXPECT_EQ(first["code"], "S137");
  EXPECT_EQ(first["session"], "DESK");
  EXPECT_EQ(first["text"], "58=\"quoted\"\n\x01 \xef\xbf\xbd");
  EXPECT_TRUE(std::string(first["time"]).ends_with("Z"));
  ASSERT_TRUE(std::getline(text, line));
  EXPECT_FALSE(nlohmann::json::parse(line).contains("session"));
  EXPECT_FALSE(nlohmann::json::parse(line).contains("code"));
}

TEST_F(EventLogFile, AFullFileIsMovedAwayAndTheOldestGoes) {
  config::EngineSettings settings;
  settings.log_file = path;
  settings.log_file_bytes_max = 60;
  settings.log_files_kept = 2;
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  for (const char* const text : {"one", "two", "three", "four"}) {
    log->write(Severity::Info, {}, std::string(text) + " " + std::string(60, '.'));
    log->flush();
  }
  EXPECT_EQ(support::read_file(path), "");
  EXPECT_NE(support::read_file(path + ".1").find("four"), std::string::npos);
  EXPECT_NE(support::read_file(path + ".2").find("three"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path + ".3"));
}

TEST_F(EventLogFile, AFullFileWithoutADescriptorForTheNextLeavesTheOldOnesAlone) {
  std::ofstream(path + ".1") << "newer";
  std::ofstream(path + ".2") << "older";
  config::EngineSettings settings;
  settings.log_file = path;
  settings.log_file_bytes_max = 80;
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  {
    const NoFreeDescriptors none;
    log->write(Severity::Info, {}, "full " + std::string(80, '.'));
    for (int flushes = 0; flushes < 6; ++flushes) {
      log->write(Severity::Info, {}, "more");
      log->flush();
    }
  }
  // The log's thread may rotate before it has the line or with it.
  log->write(Severity::Info, {}, "room again");
  log->flush();
  const std::string full = support::read_file(path + ".1");
  EXPECT_NE(full.find("full"), std::string::npos);
  EXPECT_NE((full + support::read_file(path)).find("room again\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(support::read_file(path + ".2"), "newer");
  EXPECT_EQ(support::read_file(path + ".3"), "older");
}

TEST_F(EventLogFile, OneThatIsThereIsContinuedAndItsSizeCounts) {
  std::ofstream(path) << std::string(100, '-') << "\n";
  config::EngineSettings settings;
  settings.log_file = path;
  settings.log_file_bytes_max = 120;
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  log->write(Severity::Info, {}, "one more");
  log->flush();
  EXPECT_TRUE(support::read_file(path + ".1").ends_with("one more\n"));
  EXPECT_TRUE(support::read_file(path + ".1").starts_with("---"));
}

TEST_F(EventLogFile, OpenedAnewItGoesOnWhereItsPathLeads) {
  EventLog log = open();
  log.write(Severity::Info, {}, "first");
  log.flush();
  std::filesystem::rename(path, directory.path("log.1"));
  log.write(Severity::Info, {}, "second");
  ASSERT_TRUE(log.reopen());
  log.write(Severity::Info, {}, "third");
  log.flush();
  EXPECT_NE(support::read_file(directory.path("log.1")).find("second"), std::string::npos);
  EXPECT_EQ(support::read_file(directory.path("log.1")).find("third"), std::string::npos);
  EXPECT_NE(support::read_file(path).find("third"), std::string::npos);
  EXPECT_EQ(support::read_file(path).find("second"), std::string::npos);
}

TEST_F(EventLogFile, AFileThatCannotBeReopenedGoesOnAsItWas) {
  path = directory.path("logs/log");
  std::filesystem::create_directory(directory.path("logs"));
  EventLog log = open();
  std::filesystem::rename(directory.path("logs"), directory.path("moved"));
  EXPECT_FALSE(log.reopen());
  log.write(Severity::Info, {}, "still there");
  log.flush();
  EXPECT_NE(support::read_file(directory.path("moved/log")).find("still there"), std::string::npos);
}

TEST_F(EventLogFile, ChangesItsPlaceFormAndLevel) {
  EventLog log = open("WARNING");
  log.write(Severity::Warning, {}, "before");
  config::EngineSettings settings;
  settings.log_file = directory.path("other");
  settings.log_format = config::LogFormat::Json;
  settings.log_level = config::LogLevel::Debug;
  ASSERT_TRUE(log.change(settings));
  EXPECT_EQ(log.place(), directory.path("other"));
  log.write(Severity::Debug, {}, "after");
  log.flush();
  EXPECT_NE(support::read_file(path).find("before"), std::string::npos);
  EXPECT_NE(support::read_file(directory.path("other")).find("\"text\":\"after\"}\n"),
            std::string::npos);
  settings.log_file = directory.path("nowhere/log");
  settings.log_level = config::LogLevel::Error;
  EXPECT_FALSE(log.change(settings));
  EXPECT_EQ(log.level(), Severity::Debug);
  log.write(Severity::Debug, {}, "still there");
  log.flush();
  EXPECT_NE(support::read_file(directory.path("other")).find("still there"), std::string::npos);
}

TEST_F(EventLogFile, APlaceThatDoesNotExistIsSaid) {
  config::EngineSettings settings;
  settings.log_file = directory.path("nowhere/log");
  const auto log = EventLog::open(settings);
  ASSERT_FALSE(log);
  EXPECT_TRUE(support::has_message(log.error().text(), "O101", {"nowhere/log"}));
}

TEST_F(EventLogFile, LinesThatTheDiskDoesNotTakeAreKeptAsFarAsRoomGoesAndThenCounted) {
  path = "/dev/full";
  EventLog log = open();
  log.write(Severity::Info, {}, "no room");
  log.flush();
  EXPECT_EQ(log.dropped(), 0U);
  EXPECT_EQ(log.waiting(), 1U);
  constexpr std::size_t lines = 30;
  for (std::size_t line = 0; line < lines; ++line) {
    log.write(Severity::Info, {}, std::string(100'000, 'x'));
    log.flush();
  }
  EXPECT_GT(log.dropped(), 0U);
  EXPECT_EQ(log.dropped() + log.waiting(), lines + 1);
  const auto kept = log.audit(Severity::Info, {}, std::string(100'000, 'a'));
  ASSERT_FALSE(kept) << "an operator is told that his command was not written down";
}

TEST_F(EventLogFile, AFullDiskCutsNoLineAndIsSaid) {
  EventLog log = open();
  {
    const support::FileSizeLimit limit(150);
    for (const char* const text : {"one", "two", "three", "four", "five"}) {
      log.write(Severity::Info, "DESK", std::string(text) + " " + std::string(30, '.'));
      log.flush();
    }
  }
  log.write(Severity::Info, "DESK", "room again");
  log.flush();
  const auto lines = lines_of(support::read_file(path));
  ASSERT_GE(lines.size(), 6U);
  for (const std::string& line : lines) {
    const bool is_line = line.find(" INFO    -    DESK: ") == 26;
    const bool is_notice =
        line.find(" WARNING E120 lines could not be written for a while (") == 26;
    EXPECT_TRUE(line.starts_with("20") && (is_line || is_notice)) << line;
  }
  for (const char* const text :
       {"one", "two", "three", "four", "five", "room again", "for a while"}) {
    EXPECT_NE(support::read_file(path).find(text), std::string::npos) << text;
  }
}

TEST_F(EventLogFile, ALineThatAFormerProcessLeftUnfinishedIsEndedFirst) {
  std::ofstream(path) << "2026-01-01 00:00:00.000000 INFO    DESK: half of a li";
  EventLog log = open();
  log.write(Severity::Info, "DESK", "whole");
  log.flush();
  const auto lines = lines_of(support::read_file(path));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].ends_with("half of a li"));
  EXPECT_TRUE(lines[1].ends_with("DESK: whole"));
}

TEST_F(EventLogFile, ALineThatIsHalfInAFileThatWasMovedAwayIsWholeInTheNextOne) {
  EventLog log = open();
  {
    const support::FileSizeLimit limit(20);
    log.write(Severity::Info, "DESK", "cut");
    log.flush();
  }
  std::filesystem::rename(path, directory.path("log.1"));
  {
    const support::FileSizeLimit limit(20);  // So that the old file does not accept the rest.
    ASSERT_TRUE(log.reopen());
  }
  log.write(Severity::Info, "DESK", "next");
  log.flush();
  for (const std::string& line : lines_of(support::read_file(path))) {
    EXPECT_TRUE(line.starts_with("20")) << line;
  }
  EXPECT_NE(support::read_file(path).find("DESK: cut\n"), std::string::npos);
}

TEST_F(EventLogFile, TheAuditTrailHasItsOwnFileWhateverTheLevel) {
  config::EngineSettings settings;
  settings.log_file = path;
  settings.log_level = config::LogLevel::Error;
  settings.audit_file = directory.path("audit");
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->audit(Severity::Info, "DESK", "kill DESK -> done"));
  EXPECT_TRUE(
      support::read_file(settings.audit_file).ends_with(" INFO    -    DESK: kill DESK -> done\n"));
  log->set_level(Severity::Info);
  ASSERT_TRUE(log->audit(Severity::Info, "DESK", "resume DESK -> done"));
  log->flush();
  EXPECT_NE(support::read_file(path).find("resume DESK"), std::string::npos)
      << "those who read the log see it";
  EXPECT_EQ(support::read_file(path).find("kill DESK"), std::string::npos);

  std::filesystem::rename(settings.audit_file, directory.path("audit.1"));
  ASSERT_TRUE(log->reopen());
  ASSERT_TRUE(log->audit(Severity::Info, {}, "later"));
  EXPECT_TRUE(support::read_file(settings.audit_file).ends_with("later\n"));
  EXPECT_EQ(support::read_file(directory.path("audit.1")).find("later"), std::string::npos);
}

TEST_F(EventLogFile, AnAuditTrailThatCannotBeWrittenIsSaid) {
  config::EngineSettings settings;
  settings.log_file = path;
  settings.audit_file = "/dev/full";
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  const auto kept = log->audit(Severity::Info, "DESK", "kill DESK -> done");
  ASSERT_FALSE(kept);
  EXPECT_TRUE(support::has_message(kept.error().text(), "O103", {"/dev/full"}));
}

TEST_F(EventLogFile, LinesThatRepeatThemselvesAreCounted) {
  constexpr std::uint64_t lines = 100'000;
  {
    EventLog log = open();
    for (std::uint64_t line = 0; line < lines; ++line) {
      log.write({Severity::Warning, "DESK", "message " + std::to_string(line) + " came early",
                 86'400 * base::ns_per_second});
      if (line % (LogQueue::places / 4) == 0) {
        log.flush();
      }
    }
    log.write(Severity::Info, "OTHER", "is not lost among them");
    log.flush();
    EXPECT_EQ(log.dropped(), 0U);
  }
  const auto written = lines_of(support::read_file(path));
  EXPECT_LT(written.size(), lines / 4) << "some hundred in each second that it took";
  EXPECT_NE(support::read_file(path).find("OTHER: is not lost among them"), std::string::npos);
  std::uint64_t reported = 0;
  for (const std::string& line : written) {
    if (const std::size_t at = line.find(" lines like this were left out");
        at != std::string::npos) {
      reported += std::stoull(line.substr(line.rfind('(', at) + 1));
    } else {
      reported += line.find("DESK: message ") != std::string::npos ? 1U : 0U;
    }
  }
  EXPECT_EQ(reported, lines) << "each is written or counted";
  EXPECT_NE(support::read_file(path).find("message 99999 came early ("), std::string::npos);
}

TEST_F(EventLogFile, StandardErrorIsNotOpenedAnew) {
  path.clear();
  EventLog log = open();
  EXPECT_TRUE(log.reopen());
  EXPECT_EQ(log.place(), "standard error");
}

/// Waits in its first write until released.
class StuckSink final : public LogSink {
 public:
  StuckSink(std::vector<std::string>& lines, std::latch& stuck, std::latch& go)
      : lines_(lines), stuck_(stuck), go_(go) {}

  bool write(const LogRecord& record) override {
    if (lines_.empty()) {
      stuck_.count_down();
      go_.wait();
    }
    lines_.emplace_back(record.text);
    return true;
  }

  std::expected<void, base::Error> flush() override { return {}; }

  [[nodiscard]] std::uint64_t waiting() const noexcept override { return 0; }

  std::expected<void, base::Error> reopen() override { return {}; }

  [[nodiscard]] std::string place() const override { return "a test"; }

 private:
  std::vector<std::string>& lines_;
  std::latch& stuck_;
  std::latch& go_;
};

std::string letters_of(std::size_t number) {
  std::string text;
  do {
    text += static_cast<char>('a' + number % 26);
    number /= 26;
  } while (number != 0);
  return text;
}

TEST(EventLog, LinesOfSeveralThreadsStandInTheOrderOfTheirTimes) {
  std::vector<std::string> lines;
  std::latch stuck(1);
  std::latch go(1);
  auto log = EventLog::make(std::make_unique<StuckSink>(lines, stuck, go), Severity::Info);
  ASSERT_TRUE(log);
  log->write(Severity::Error, {}, "first");
  stuck.wait();
  // As queued by workers whose turns began at these times.
  for (const auto& [seconds, text] : {std::pair{5, "fifth"},
                                      {2, "second"},
                                      {4, "third, one half"},
                                      {4, "third, other half"},
                                      {3, "between"}}) {
    log->write({Severity::Info, {}, text, seconds * base::ns_per_second});
  }
  go.count_down();
  log->flush();
  EXPECT_EQ(lines, (std::vector<std::string>{"first", "second", "between", "third, one half",
                                             "third, other half", "fifth"}));
}

TEST(EventLog, ASlowDiskDelaysNoThreadAndDroppedLinesAreCounted) {
  std::vector<std::string> lines;
  std::latch stuck(1);
  std::latch go(1);
  auto log = EventLog::make(std::make_unique<StuckSink>(lines, stuck, go), Severity::Info);
  ASSERT_TRUE(log);
  log->write(Severity::Error, {}, "first");
  stuck.wait();
  constexpr std::size_t too_many = 10;
  for (std::size_t line = 0; line < LogQueue::places - 1 + too_many; ++line) {
    log->write(Severity::Info, {}, "no line is like another: " + letters_of(line));
  }
  EXPECT_EQ(log->dropped(), too_many);
  std::thread operators([&] {
    EXPECT_TRUE(log->audit(Severity::Info, {}, "an operator")) << "it needs no room on the way";
  });
  go.count_down();
  operators.join();
  log->flush();
  EXPECT_NE(std::find(lines.begin(), lines.end(), "an operator"), lines.end());
  std::erase(lines, "an operator");
  EXPECT_EQ(lines.size(), LogQueue::places + 1);
  EXPECT_EQ(lines.back(), "10 lines were dropped: more came than could be written");
  log->write(Severity::Info, {}, "all is well again");
  log->flush();
  EXPECT_EQ(lines.back(), "all is well again");
}

TEST(EventLog, ItsThreadTakesNoSignals) {
  std::vector<std::string> lines;
  std::latch stuck(1);
  std::latch go(0);
  sigset_t before;
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, nullptr, &before), 0);
  const auto log = EventLog::make(std::make_unique<StuckSink>(lines, stuck, go), Severity::Info);
  ASSERT_TRUE(log);
  sigset_t after;
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, nullptr, &after), 0);
  EXPECT_EQ(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
  // The blocked signals of every other thread of this process, according to the system.
  int blocked = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigBlk:")) {
        const std::uint64_t mask = std::stoull(line.substr(7), nullptr, 16);
        blocked += (mask >> (SIGTERM - 1) & 1U) != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(blocked, 1);
}

}  // namespace
}  // namespace affix::service
