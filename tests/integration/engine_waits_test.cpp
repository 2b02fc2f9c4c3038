// SPDX-License-Identifier: MIT
// Counts a worker's possible waits: disk calls made within its turns while orders fill several
// segments, during archiving, retention, group flushes, resends and counter reads; and checks its
// own account of them.
#include "affix/config/words.hpp"
#include "affix/counters/counter_reader.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/journal/disk.hpp"

#include "support/engine_case.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sched.h>
#include <thread>

namespace affix::support {
namespace {

using counters::WaitCause;

/// The system's disk, which counts calls made within a worker's turn.
class CountingDisk final : public journal::Disk {
 public:
  bool in_turn = false;
  std::vector<std::string> in_turns;  ///< Calls made within turns, with their files.
  std::uint64_t beside = 0;           ///< Number of calls by other threads.

  int open_file(const std::string& path, int flags, int& file) noexcept override {
    note("open", path);
    return Disk::open_file(path, flags, file);
  }

  int allocate(int file, const std::string& path, std::uint64_t bytes) noexcept override {
    note("allocate", path);
    return Disk::allocate(file, path, bytes);
  }

  int map(int file, const std::string& path, std::size_t bytes, journal::MapKind kind,
          char*& at) noexcept override {
    note("map", path);
    return Disk::map(file, path, bytes, kind, at);
  }

  int write(int file, const std::string& path, std::string_view bytes,
            std::uint64_t offset) noexcept override {
    note("write", path);
    return Disk::write(file, path, bytes, offset);
  }

  int sync_file(int file, const std::string& path) noexcept override {
    note("sync_file", path);
    return Disk::sync_file(file, path);
  }

  void begin_sync(const std::string& path) noexcept override {
    note("begin_sync", path);
    Disk::begin_sync(path);
  }

  int sync_mapping(const std::string& path, char* base, std::size_t begin,
                   std::size_t end) noexcept override {
    note("sync_mapping", path);
    return Disk::sync_mapping(path, base, begin, end);
  }

  int sync_directory(const std::string& directory) noexcept override {
    note("sync_directory", directory);
    return Disk::sync_directory(directory);
  }

  int sync_file_system(int file, const std::string& directory,
                       std::uint64_t worth_bytes) noexcept override {
    note("sync_file_system", directory);
    return Disk::sync_file_system(file, directory, worth_bytes);
  }

  int rename(const std::string& from, const std::string& to) noexcept override {
    note("rename", from);
    return Disk::rename(from, to);
  }

  int remove(const std::string& path) noexcept override {
    note("remove", path);
    return Disk::remove(path);
  }

 private:
  void note(const char* call, const std::string& path) {
    if (in_turn) {
      in_turns.push_back(std::string(call) + ' ' + path.substr(path.rfind('/') + 1));
    } else {
      ++beside;
    }
  }
};

class EngineWaits : public testing::Test {
 protected:
  /// `adjust` changes the one session of each side.
  void open(const std::function<void(config::SessionSettings&)>& adjust) {
    pair_.emplace("FIX.4.4", [&](config::Configuration& configuration) {
      config::SessionSettings& session = configuration.sessions.front();
      session.max_serialised_file_size = 65'536;
      session.journal_disk = &disk_;
      configuration.engine.counters_file =
          directory_.path(configuration.servers.empty() ? "firm" : "venue");
      adjust(session);
    });
    ASSERT_TRUE(turn_until([&] { return firm().logged_on() && pair_->venue().logged_on(); }));
  }

  [[nodiscard]] host::SessionHandle firm() const { return pair_->firm(); }

  void turn() {
    for (engine::Engine* const engine : pair_->engines()) {
      disk_.in_turn = true;
      engine->poll(0);
      disk_.in_turn = false;
      while (engine->flush_journals()) {
      }
      while (engine->prepare_journals()) {
      }
    }
  }

  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (!wanted()) {
      if (os::now().steady_ns > give_up_ns) {
        return false;
      }
      turn();
    }
    return true;
  }

  /// Some in each turn, like a trading client.
  void trade(std::size_t orders) {
    const std::string text(400, 'x');
    const std::size_t wanted = pair_->venue_application.messages.size() + orders;
    for (std::size_t sent = 0; sent < orders;) {
      for (int batch = 0; batch < 10 && sent < orders; ++batch, ++sent) {
        disk_.in_turn = true;
        const host::SendResult result = send_order(firm(), std::to_string(sent), text);
        disk_.in_turn = false;
        ASSERT_TRUE(result.sent());
      }
      turn();
    }
    ASSERT_TRUE(turn_until([&] { return pair_->venue_application.messages.size() == wanted; }));
  }

  [[nodiscard]] std::size_t segments(const std::string& of) const {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(pair_->directory.path(of))) {
      count += entry.path().extension() == ".journal" ? 1U : 0U;
    }
    return count;
  }

  /// Number of files and directories.
  [[nodiscard]] std::ptrdiff_t archived(const std::string& durability) const {
    std::error_code missing;
    return std::distance(std::filesystem::recursive_directory_iterator(
                             directory_.path("archive-" + durability), missing),
                         {});
  }

  /// Of an engine's only worker.
  [[nodiscard]] counters::WorkerReading account(const char* of) const {
    auto reader = counters::CounterReader::open(directory_.path(of));
    EXPECT_TRUE(reader);
    return reader ? reader->read().workers.front() : counters::WorkerReading();
  }

  static std::uint64_t count_of(const counters::WorkerReading& reading, WaitCause cause) {
    return reading.waits[static_cast<std::size_t>(cause)].count;
  }

  [[nodiscard]] std::string calls_in_turns() const {
    std::string all;
    for (const std::string& call : disk_.in_turns) {
      all += call + '\n';
    }
    return all;
  }

  CountingDisk disk_;
  TemporaryDirectory directory_;
  std::optional<Pair> pair_;
};

TEST_F(EngineWaits, NoTurnCallsTheDiskWhileOrdersGoThroughSegmentsThatAreArchived) {
  for (const char* const durability : {"process", "group"}) {
    SCOPED_TRACE(durability);
    open([&](config::SessionSettings& session) {
      EXPECT_TRUE(config::choose(session, "durability", durability));
      session.journal_keep_bytes = 100'000;
      session.journal_archive_path = directory_.path(std::string("archive-") + durability);
    });
    trade(200);  // Work caused by a session's first messages is done.
    disk_.in_turns.clear();
    disk_.beside = 0;
    const std::uint64_t stalls = count_of(account("firm"), WaitCause::Journal);
    trade(3'000);
    // Segments that are not on the disk yet are not archived.
    ASSERT_TRUE(turn_until([&] { return archived(durability) >= 5; })) << "nothing was archived";
    EXPECT_EQ(calls_in_turns(), "");
    EXPECT_GT(disk_.beside, 10U) << "no segment was changed, so nothing was seen";
    EXPECT_EQ(count_of(account("firm"), WaitCause::Journal), stalls);
    EXPECT_EQ(count_of(account("venue"), WaitCause::Journal), 0U);
    pair_.reset();
  }
}

TEST_F(EngineWaits, WithSyncATurnWritesUnflushedMessagesThreeTimesASegment) {
  open([](config::SessionSettings& session) { session.durability = journal::Durability::Sync; });
  trade(200);
  disk_.in_turns.clear();
  const std::size_t before = segments("firm") + segments("venue");
  trade(1'500);
  const std::size_t changed = segments("firm") + segments("venue") - before;
  EXPECT_GE(changed, 4U);
  EXPECT_GT(disk_.in_turns.size(), 0U) << "calls within turns are not seen";
  EXPECT_LE(disk_.in_turns.size(), 3 * changed) << calls_in_turns();
  for (const std::string& call : disk_.in_turns) {
    EXPECT_EQ(call.substr(0, 6), "write ");
  }
}

TEST_F(EngineWaits, NoTurnCallsTheDiskForAResend) {
  open([](config::SessionSettings&) {});
  trade(1'500);
  disk_.in_turns.clear();
  const std::uint64_t resends = count_of(account("firm"), WaitCause::Resend);
  std::size_t again = 0;
  pair_->venue_application.when_message = [&](host::SessionHandle, const wire::MessageView&,
                                              const host::Delivery& delivery) {
    again += delivery.possible_duplicate ? 1U : 0U;
  };
  // It forgets its received messages, and requests all of them again.
  ASSERT_TRUE(host::SessionControls(pair_->venue()).set_next_expected(2));
  ASSERT_TRUE(send_order(firm(), "gap").sent());
  ASSERT_TRUE(turn_until([&] { return again >= 1'500; }));
  EXPECT_EQ(calls_in_turns(), "");
  EXPECT_GT(count_of(account("firm"), WaitCause::Resend), resends);
}

TEST_F(EngineWaits, AnAppendThatFindsNothingReadyIsInTheAccount) {
  open([](config::SessionSettings&) {});
  const std::string text(400, 'x');
  // All in one turn, so that no thread can prepare.
  for (int order = 0; order < 400; ++order) {
    if (!send_order(firm(), "late", text).sent()) {
      pair_->initiator->poll(0);
    }
  }
  turn();
  const counters::WorkerReading firm = account("firm");
  EXPECT_GT(count_of(firm, WaitCause::Journal), 0U);
  EXPECT_GT(firm.longest_wait().ns, 0U);
  EXPECT_GE(firm.wait_lengths.count(), count_of(firm, WaitCause::Journal));
  EXPECT_GT(firm.longest_wait_utc_ns, 0U);
}

TEST_F(EngineWaits, StepsThatAreNoMessageAreInTheAccountByTheirCause) {
  open([](config::SessionSettings&) {});
  const counters::WorkerReading firm = account("firm");
  EXPECT_GT(count_of(firm, WaitCause::Connection), 0U);
  EXPECT_GT(count_of(firm, WaitCause::Log), 0U);
  EXPECT_GT(count_of(firm, WaitCause::Timer), 0U) << "it connects by a timer";
  EXPECT_GT(count_of(account("venue"), WaitCause::Connection), 0U);
}

/// The scheduling class of this process's thread with that name; -1 if there is none.
int class_of(std::string_view name) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(entry.path() / "comm");
    std::string found;
    if (std::getline(file, found) && found == name) {
      return ::sched_getscheduler(std::atoi(entry.path().filename().c_str()));
    }
  }
  return -1;
}

TEST(EngineHelpers, TakeTheirProcessorFromNoWorkerButWhereASessionWaitsForThem) {
  for (const bool waits : {false, true}) {
    TemporaryDirectory directory;
    Recorder application;
    config::Configuration configuration = acceptor_configuration();
    add_session(configuration, "VENUE", "FIRM", directory.path("venue")).durability =
        waits ? journal::Durability::Sync : journal::Durability::Group;
    const auto engine = open_engine(configuration, application);
    std::thread running([&] { EXPECT_TRUE(engine->run()); });
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    const auto becomes = [&](std::string_view name, int wanted) {
      while (class_of(name) != wanted && os::now().steady_ns < give_up_ns) {
        std::this_thread::yield();
      }
      return class_of(name) == wanted;
    };
    EXPECT_TRUE(becomes("affix-journal", SCHED_BATCH));
    EXPECT_TRUE(becomes("affix-flush", waits ? SCHED_OTHER : SCHED_BATCH));
    engine->request_stop();
    running.join();
  }
}

TEST(EngineTurnOrder, AnswersLeaveBeforeSessionsAreChanged) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  pair.venue_application.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                            const host::Delivery&) {
    ASSERT_TRUE(send_order(session, "answer").sent());
  };
  std::optional<bool> answered;
  pair.venue_application.when_sending_admin = [&](host::SessionHandle, std::string_view type,
                                                  wire::Encoder&) {
    if (type == "5") {
      // Data in transit to the other side has arrived: it was sent through this machine.
      pair.initiator->poll(0);
      answered = !pair.firm_application.messages.empty();
    }
  };
  ASSERT_TRUE(send_order(pair.firm(), "question").sent());
  pair.initiator->poll(0);
  ASSERT_TRUE(pair.acceptor->disable_session("FIRM", "risk limit"));
  ASSERT_TRUE(turn_until({pair.acceptor.get()}, [&] { return answered.has_value(); }));
  EXPECT_TRUE(*answered) << "the Logout was made first";
}

TEST(EngineWaitWarning, ReportsOfALineOfTheLogThatTookLong) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.engine.wait_warning_microseconds = 1;
  });
  // The first interval ends with the first turn, and its waits are reported then.
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.heard_code("E132"); }));
  EXPECT_TRUE(pair.firm_application.heard_code("E132", "worker 0 "));
}

}  // namespace
}  // namespace affix::support
