// SPDX-License-Identifier: MIT
// An engine's counters, read back from the file: seats taken and given back, growth while a reader
// is active, a replaced file, sending stopped by operators.
#include "counters/counter_file.hpp"

#include "affix/counters/counter_reader.hpp"
#include "affix/os/bus_error.hpp"

#include "engine/sending_holds.hpp"
#include "support/repeating_thread.hpp"
#include "support/temporary_directory.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace affix::counters {
namespace {

class Counters : public testing::Test {
 protected:
  std::unique_ptr<CounterFile> make(std::size_t workers = 1) const {
    auto file = CounterFile::create(path_, workers, 1'000);
    EXPECT_TRUE(file) << file.error().text();
    EXPECT_TRUE((*file)->publish());
    return std::move(*file);
  }

  CounterReader reader() const {
    auto reader = CounterReader::open(path_);
    EXPECT_TRUE(reader) << reader.error().text();
    return std::move(*reader);
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/counters";
};

TEST_F(Counters, OfFailoverGroupsAreReadAsTheyWereWritten) {
  auto file = std::move(*CounterFile::create(path_, 1, 1'000));
  const std::vector<std::string_view> names{"DESKS", "VENUES"};
  const auto groups = file->add_failover(names, "A");
  ASSERT_TRUE(groups) << groups.error().text();
  ASSERT_EQ(groups->size(), 2U);
  ASSERT_TRUE(file->publish());
  (*groups)[1][FailoverCounter::Promotions].add(3);
  (*groups)[1].standbys[1].name.set("C");
  const EngineReading reading = reader().read();
  ASSERT_EQ(reading.failover.size(), 2U);
  EXPECT_EQ(reading.failover[0].name, "DESKS");
  EXPECT_EQ(reading.failover[1].node, "A");
  EXPECT_EQ(reading.failover[1][FailoverCounter::Promotions], 3U);
  ASSERT_EQ(reading.failover[1].standbys.size(), 1U);
  EXPECT_EQ(reading.failover[1].standbys[0].name, "C");
  // Seats are beside them as ever.
  ASSERT_TRUE(file->take_seat({.name = "S"}));
  EXPECT_EQ(reader().read().sessions.size(), 1U);
}

TEST_F(Counters, OfASessionAreReadAsTheyWereWritten) {
  const auto file = make(2);
  SessionCounters& seat = **file->take_seat({.name = "BUY",
                                             .instance = "CLIENT",
                                             .begin_string = "FIX.4.4",
                                             .sender_comp_id = "US",
                                             .target_comp_id = "THEM",
                                             .journal_directory = "journal/US-THEM",
                                             .worker = 1,
                                             .initiator = true});
  seat[SessionCounter::MessagesReceived].add(7);
  seat[SessionCounter::State].set(2);
  SessionLatencies* const latencies = file->take_latencies(seat);
  ASSERT_NE(latencies, nullptr);
  (*latencies)[SessionLatency::Callback].record(500);
  file->worker(1)[WorkerCounter::Turns].add(3);
  file->worker(1)[WorkerLatency::Batch].record(12);

  const EngineReading reading = reader().read();
  EXPECT_EQ(reading.started_utc_ns, 1'000U);
  EXPECT_EQ(reading.stopped_utc_ns, 0U);
  EXPECT_TRUE(reading.running);
  EXPECT_FALSE(reading.engine_version.empty());
  ASSERT_EQ(reading.workers.size(), 2U);
  EXPECT_EQ(reading.workers[0][WorkerCounter::Turns], 0U);
  EXPECT_EQ(reading.workers[1][WorkerCounter::Turns], 3U);
  EXPECT_EQ(reading.workers[1].distributions[1].percentile(0.5), 12U);
  ASSERT_EQ(reading.sessions.size(), 1U);
  const SessionReading& session = reading.sessions[0];
  EXPECT_EQ(session.name, "BUY");
  EXPECT_EQ(session.instance, "CLIENT");
  EXPECT_EQ(session.begin_string, "FIX.4.4");
  EXPECT_EQ(session.sender_comp_id, "US");
  EXPECT_EQ(session.target_comp_id, "THEM");
  EXPECT_EQ(session.journal_directory, "journal/US-THEM");
  EXPECT_EQ(session.worker, 1U);
  EXPECT_TRUE(session.initiator);
  EXPECT_EQ(session[SessionCounter::MessagesReceived], 7U);
  EXPECT_EQ(session.standing(), session::SessionStanding::LoggedOn);
  ASSERT_NE(session.latencies, nullptr);
  EXPECT_EQ((*session.latencies)[1].largest(), 500U);
  EXPECT_EQ((*session.latencies)[0].count(), 0U);
}

TEST_F(Counters, OfASeatBeginAnewWithItsNextSession) {
  const auto file = make();
  SessionCounters& seat = **file->take_seat({.name = "FIRST"});
  seat[SessionCounter::Logons].add();
  (*file->take_latencies(seat))[SessionLatency::Append].record(30);
  CounterReader open = reader();
  const std::uint64_t version = open.read().sessions.at(0).version;
  file->give_back(seat);
  EXPECT_TRUE(open.read().sessions.empty());

  ASSERT_EQ(*file->take_seat({.name = "SECOND"}), &seat);
  const SessionReading second = open.read().sessions.at(0);
  EXPECT_EQ(second.name, "SECOND");
  EXPECT_NE(second.version, version);
  EXPECT_EQ(second[SessionCounter::Logons], 0U);
  EXPECT_EQ(second.latencies, nullptr);
  (*file->take_latencies(seat))[SessionLatency::Append].record(40);
  EXPECT_EQ((*open.read().sessions.at(0).latencies)[2].count(), 1U)
      << "what the first session left is gone";
}

TEST_F(Counters, GrowWithTheSessionsBesideAReader) {
  const auto file = make();
  CounterReader open = reader();
  std::vector<SessionCounters*> seats;
  for (std::uint64_t number = 0; number < 300; ++number) {
    auto seat = file->take_seat({.name = "S" + std::to_string(number)});
    ASSERT_TRUE(seat);
    (**seat)[SessionCounter::NextOutgoing].set(number);
    ASSERT_NE(file->take_latencies(**seat), nullptr);
    seats.push_back(*seat);
  }
  const EngineReading reading = open.read();
  ASSERT_EQ(reading.sessions.size(), 300U);
  for (std::uint64_t number = 0; number < 300; ++number) {
    EXPECT_EQ(reading.sessions[number].name, "S" + std::to_string(number));
    EXPECT_EQ(reading.sessions[number][SessionCounter::NextOutgoing], number);
    EXPECT_NE(reading.sessions[number].latencies, nullptr);
  }
  for (SessionCounters* const seat : seats) {
    file->give_back(*seat);
  }
  EXPECT_TRUE(open.read().sessions.empty());
}

TEST_F(Counters, AreNeverHalfOfOneSessionAndHalfOfAnother) {
  const auto file = make();
  const support::RepeatingThread owner([&] {
    for (const char* const name : {"AAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBB"}) {
      auto seat = file->take_seat({.name = name, .sender_comp_id = name});
      file->give_back(**seat);
    }
    return true;
  });
  CounterReader open = reader();
  for (int round = 0; round < 2'000; ++round) {
    for (const SessionReading& session : open.read().sessions) {
      ASSERT_EQ(session.name, session.sender_comp_id);
    }
  }
}

TEST_F(Counters, HaveTheKillSwitches) {
  using Names = std::vector<std::string>;
  const auto file = make();
  engine::SendingHolds holds;
  holds.show_in(*file);
  CounterReader open = reader();
  const auto expect = [&open](bool engine, const Names& instances) {
    const EngineReading reading = open.read();
    EXPECT_EQ(reading.sending_stopped, engine);
    EXPECT_EQ(reading.instances_stopped, instances.size());
    EXPECT_EQ(reading.stopped_instances, instances);
  };
  expect(false, {});
  holds.set({.instance = "VENUE"}, true);
  expect(false, {"VENUE"});
  holds.set({.instance = "DESK"}, true);
  expect(false, {"DESK", "VENUE"});
  holds.set({.instance = "OTHER", .session = "S"}, true);
  expect(false, {"DESK", "VENUE"});
  holds.set({.instance = "DESK"}, false);
  expect(false, {"VENUE"});
  holds.set({}, true);
  expect(true, {});
  holds.set({.instance = "VENUE"}, false);
  expect(true, {});
  holds.set({}, false);
  expect(false, {});
}

TEST_F(Counters, NameStoppedInstancesWholeOrNotAtAll) {
  const auto file = make();
  engine::SendingHolds holds;
  holds.show_in(*file);
  const auto name_of = [](int number) {
    return std::to_string(number) + std::string(100, 'N') + std::to_string(number);
  };
  for (int number = 0; number < 50; ++number) {
    holds.set({.instance = name_of(number)}, true);
  }
  const EngineReading reading = reader().read();
  EXPECT_EQ(reading.instances_stopped, 50U);
  EXPECT_GE(reading.stopped_instances.size(), 15U);
  EXPECT_LT(reading.stopped_instances.size(), 50U);
  for (const std::string& name : reading.stopped_instances) {
    EXPECT_EQ(name, name_of(std::stoi(name)));
  }
}

TEST_F(Counters, SayThatTheEngineStopped) {
  auto file = make();
  CounterReader open = reader();
  file->stop(5'000);
  file.reset();
  const EngineReading reading = open.read();
  EXPECT_EQ(reading.stopped_utc_ns, 5'000U);
  EXPECT_FALSE(reading.running);
}

TEST_F(Counters, OfTheEngineThatWasStartedAgainAreFollowed) {
  auto file = make();
  CounterReader open = reader();
  EXPECT_FALSE(*open.follow());
  file.reset();
  EXPECT_FALSE(*open.follow()) << "what it left is still there";
  file = make();
  ASSERT_TRUE(file->take_seat({.name = "NEW"}));
  EXPECT_TRUE(open.read().sessions.empty()) << "the former file is still the one it reads";
  EXPECT_TRUE(*open.follow());
  EXPECT_EQ(open.read().sessions.at(0).name, "NEW");
}

TEST_F(Counters, OfAnEngineThatRunsAreNotTakenFromIt) {
  const auto file = make();
  const auto second = CounterFile::create(path_, 1, 0);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::Locked);
  EXPECT_TRUE(reader().read().running);
}

TEST_F(Counters, OfAStartThatFailedLeaveNoTrace) {
  make()->stop(5'000);
  {
    auto failing = CounterFile::create(path_, 1, 9'000);
    ASSERT_TRUE(failing);
    ASSERT_TRUE((*failing)->take_seat({.name = "NEVER"}));
  }
  EXPECT_EQ(reader().read().stopped_utc_ns, 5'000U) << "the former engine's are still there";
  const auto left = std::filesystem::directory_iterator(directory_.path());
  EXPECT_EQ(std::distance(begin(left), end(left)), 1);
}

TEST_F(Counters, WithoutAFileAreReadByTheirOwnProcess) {
  const auto file = CounterFile::create("", 1, 0);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->publish());
  SessionCounters& seat = **(*file)->take_seat({.name = "X"});
  EXPECT_NE((*file)->take_latencies(seat), nullptr);
  auto opened = CounterReader::open((*file)->path());
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_EQ(opened->read().sessions.at(0).name, "X");
}

TEST_F(Counters, GoOnWhereSomebodyCutsTheFile) {
  ASSERT_TRUE(os::install_bus_error_handler());
  const auto file = make();
  SessionCounters& seat = **file->take_seat({.name = "X"});
  SessionLatencies* const latencies = file->take_latencies(seat);
  CounterReader before = reader();
  ASSERT_EQ(before.read().sessions.size(), 1U);

  std::filesystem::resize_file(path_, 0);
  seat[SessionCounter::MessagesReceived].add(7);
  EXPECT_EQ(seat[SessionCounter::MessagesReceived].value(), 7U);
  (*latencies)[SessionLatency::Callback].record(500);
  file->worker(0)[WorkerCounter::Turns].add();
  for (int number = 0; number < 200; ++number) {
    ASSERT_TRUE(file->take_seat({.name = "LATER"})) << "the file grows again behind the cut";
  }
  EXPECT_TRUE(before.read().sessions.empty());
  EXPECT_FALSE(CounterReader::open(path_)) << "its beginning is gone";
  file->stop(5'000);
}

TEST_F(Counters, AreReadAsFarAsTheyAreThereWhileSomebodyCutsThem) {
  ASSERT_TRUE(os::install_bus_error_handler());
  const auto file = make();
  for (int number = 0; number < 300; ++number) {
    ASSERT_TRUE(file->take_seat({.name = "X"}));
  }
  const std::uintmax_t whole = std::filesystem::file_size(path_);
  CounterReader open = reader();
  const support::RepeatingThread cutter([&] {
    std::filesystem::resize_file(path_, 0);
    std::filesystem::resize_file(path_, whole);
    return true;
  });
  for (int round = 0; round < 500; ++round) {
    static_cast<void>(open.read());
  }
}

TEST_F(Counters, InADirectoryThatIsNotThereAreAnError) {
  const auto file = CounterFile::create(directory_.path() + "/none/counters", 1, 0);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, base::ErrorCode::NotFound);
}

}  // namespace
}  // namespace affix::counters
