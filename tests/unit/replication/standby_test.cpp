// SPDX-License-Identifier: MIT
// A Standby against a primary that the test plays by hand, with a real journal.
#include "replication/history_server.hpp"
#include "support/recording_disk.hpp"
#include "unit/replication/cluster.hpp"
#include "unit/replication/scripted_node.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::replication_test {
namespace {

using replication::FrameType;
using replication::NewsKind;

constexpr const char* identity = "FIX.4.4:US->P";

/// Writes what a journal stores as frames.
class FrameTap final : public journal::Tap {
 public:
  void on_record(std::uint32_t tap_id, Position at, std::string_view record) noexcept override {
    if (record.size() <= replication::record_part_bytes_max) {
      replication::write_record(add(replication::record_frame_header_bytes + record.size()), tap_id,
                                at, record);
      return;
    }
    for (std::size_t offset = 0; offset < record.size();
         offset += replication::record_part_bytes_max) {
      const std::string_view part = record.substr(offset, replication::record_part_bytes_max);
      replication::write_record_part(add(replication::record_part_header_bytes + part.size()),
                                     {.tap = tap_id,
                                      .at = at,
                                      .total = static_cast<std::uint32_t>(record.size()),
                                      .offset = static_cast<std::uint32_t>(offset),
                                      .bytes = part});
    }
  }

  void on_segment(std::uint32_t tap_id, const journal::format::Header& header) noexcept override {
    replication::write_segment(add(replication::segment_frame_bytes), tap_id, header);
  }

  void on_mark(std::uint32_t tap_id, Position at, journal::format::Mark mark) noexcept override {
    replication::write_mark(add(replication::mark_frame_bytes), {tap_id, at, mark});
  }

  void on_reserve(std::uint32_t tap_id, std::uint64_t reserved) noexcept override {
    replication::write_reserve(add(replication::reserve_frame_bytes), {tap_id, reserved});
  }

  std::string take() {
    place += frames.size();
    return std::exchange(frames, {});
  }

  std::string frames;
  std::uint64_t place = 0;

 private:
  char* add(std::size_t bytes) {
    frames.resize(frames.size() + bytes);
    return frames.data() + frames.size() - bytes;
  }
};

class StandbyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    journal::Options options;
    options.directory = directory.path("primary");
    options.identity = identity;
    options.first_segment_bytes = 16 * 1024;
    options.max_segment_bytes = 16 * 1024;
    options.sequence_reserve = 1000;
    primary = std::move(*journal::Journal::open(options));
    live = std::make_unique<ScriptedNode>(network);
    history = std::make_unique<ScriptedNode>(network);
    history->listen();
    standby_node = network.add_node();
    worker_node = network.add_node();
    self = {"standby",
            *net::Address::parse("10.0.0." + std::to_string(static_cast<unsigned>(standby_node)) +
                                 ":7000")};
    copy_options.first_segment_bytes = 16 * 1024;
    copy_options.sequence_reserve = 1000;
  }

  void TearDown() override {
    process.reset();
    primary->set_tap(nullptr, 0);
  }

  void start(replication::StandbyOptions options = {}) {
    options.cluster = "cluster";
    options.node = "standby";
    process = std::make_unique<Process>(network, worker_node, standby_node, self, options);
  }

  void follow(std::uint64_t epoch = 7, std::vector<std::string> identities = {identity},
              replication::AckWhen ack_when = replication::AckWhen::Stored) {
    replication::GroupCopy copy{.group = "group",
                                .epoch = epoch,
                                .primary = {"primary", history->address},
                                .ack_when = ack_when};
    for (const std::string& one : identities) {
      journal::Options options = copy_options;
      options.directory = directory.path("copy") + std::to_string(copy.journals.size());
      copy.journals.push_back({one, options});
    }
    process->standby->follow(std::move(copy));
    process->wake_standby();
    run();
  }

  void run(std::int64_t ns = base::ns_per_ms) { ASSERT_TRUE(network.run(ns)); }

  replication::Hello hello(std::uint64_t epoch = 7) {
    return {.epoch = epoch,
            .stream = 77,
            .cluster = "cluster",
            .from = "primary",
            .to = "standby",
            .group = "group"};
  }

  void greet(const replication::Hello& greeting) {
    live->frames.clear();
    live->connect(self.address);
    run();
    ASSERT_TRUE(live->open);
    std::string out;
    replication::put_hello(out, greeting);
    live->send(out);
    run();
  }

  replication::Refused refused(const replication::Hello& greeting) {
    greet(greeting);
    const std::string payload = live->expect(FrameType::Refused);
    run();
    EXPECT_FALSE(live->open);
    return replication::read_refused(payload).value_or(replication::Refused{});
  }

  void say(FrameType type) {
    std::string out;
    replication::put_plain(out, type);
    live->send(out);
    run();
  }

  /// Answers questions about history until there are none.
  void serve_history() {
    for (int turns = 0; turns < 100; ++turns) {
      run();
      const auto frame = history->take();
      if (!frame) {
        return;
      }
      std::string out;
      if (frame->type == FrameType::Hello) {
        replication::put_accepted(out, {.epoch = 7});
      } else if (frame->type == FrameType::Ask) {
        server.answer(served(), *replication::read_ask(frame->payload), out);
      } else if (frame->type == FrameType::Fetch) {
        server.answer(served(), *replication::read_fetch(frame->payload), out);
      }
      history->send(out);
    }
    ADD_FAILURE() << "the questions do not end";
  }

  replication::ServedGroup served() { return {"group", 7, served_journals}; }

  void begin(std::uint64_t place = 0) {
    std::string out;
    replication::put_begin(out, {place, 1});
    const std::vector<Position> unprocessed = primary->unprocessed_positions();
    replication::put_journal(out, {.tap = 0,
                                   .at = primary->end(),
                                   .reserve = primary->reserved_outgoing(),
                                   .unprocessed = static_cast<std::uint32_t>(unprocessed.size()),
                                   .identity = identity});
    if (!unprocessed.empty()) {
      replication::put_unprocessed(out, 0, unprocessed.data(), unprocessed.size());
    }
    tap.place = place;
    tap.frames.clear();
    primary->set_tap(&tap, 0);
    live->send(out);
    run();
  }

  /// From the greeting to the stream.
  void join() {
    greet(hello());
    EXPECT_EQ(replication::read_accepted(live->expect(FrameType::Accepted)),
              (replication::Accepted{7, 0, 0}));
    say(FrameType::MayFetch);
    serve_history();
    live->expect(FrameType::Want);
    begin();
    serve_history();
  }

  void send_message(std::size_t bytes = 100) {
    ASSERT_EQ(primary->append_sent(primary->next_outgoing(), 1, std::string(bytes, 'x')),
              journal::AppendResult::Appended);
  }

  void ship() {
    live->send(tap.take());
    run();
  }

  /// Messages are received and processed until `segment` is begun.
  void process_messages(std::uint32_t segment) {
    while (primary->end().segment < segment) {
      const std::uint64_t number = primary->next_expected();
      const auto received = primary->append_received(number, number + 1, 1, std::string(900, 'x'));
      ASSERT_EQ(received.result(), journal::AppendResult::Appended);
      primary->mark_processed(received.position());
      ship();
      while (process->standby->prepare()) {
      }
      process->wake_standby();
      run(20 * base::ns_per_ms);
    }
  }

  [[nodiscard]] std::uint32_t oldest_of_copy() const {
    return journal::HistoryReader(directory.path("copy0")).oldest().segment;
  }

  std::vector<NewsKind> news() {
    std::vector<NewsKind> kinds;
    for (const replication::News& one : process->standby->take_news()) {
      kinds.push_back(one.kind);
      last_why = one.why;
      last_code = one.code;
      last_gone = one.gone;
    }
    return kinds;
  }

  void expect_equal() {
    journal_test::expect_same_history(directory.path("primary"), directory.path("copy0"));
  }

  support::TemporaryDirectory directory{support::TemporaryDirectory::On::Memory};
  VirtualNetwork network;
  std::unique_ptr<journal::Journal> primary;
  FrameTap tap;
  std::unique_ptr<ScriptedNode> live;
  std::unique_ptr<ScriptedNode> history;
  testing_kit::NodeId standby_node{};
  testing_kit::NodeId worker_node{};
  replication::Node self;
  journal::Options copy_options;
  support::RecordingDisk disk{1};
  std::vector<replication::ServedJournal> served_journals{{identity, directory.path("primary")}};
  replication::HistoryServer server;
  std::unique_ptr<Process> process;
  std::string last_why;
  base::MessageCode last_code;
  replication::GoneHow last_gone{};
};

TEST_F(StandbyTest, MakesACopyFromHistoryAndFollowsTheStream) {
  for (int count = 0; count < 300; ++count) {
    send_message();
  }
  start();
  follow();
  join();
  EXPECT_EQ(news(), (std::vector{NewsKind::Connected, NewsKind::OutOfSync, NewsKind::InSync}));
  expect_equal();
  for (int count = 0; count < 300; ++count) {
    send_message();
    if (count % 7 == 0) {
      ship();
      EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
    }
  }
  ship();
  expect_equal();
}

// A node accepts the primary of an epoch that it has promised before it has read that this one
// leads.
TEST_F(StandbyTest, TellsAgainHowItStandsWhenItIsToldToFollowTheSame) {
  send_message();
  start();
  follow();
  join();
  static_cast<void>(news());
  follow();
  run();
  EXPECT_EQ(news(), (std::vector{NewsKind::Connected, NewsKind::InSync}));
  send_message();
  ship();
  expect_equal();
}

TEST_F(StandbyTest, RefusesWhoeverIsNotItsPrimary) {
  start();
  follow(7);
  using replication::Refusal;
  const auto with = [&](auto change) {
    replication::Hello greeting = hello();
    change(greeting);
    return refused(greeting);
  };
  EXPECT_EQ(with([](auto& h) { h.version = 2; }).reason, Refusal::Version);
  EXPECT_EQ(with([](auto& h) { h.cluster = "other"; }).reason, Refusal::Cluster);
  EXPECT_EQ(with([](auto& h) { h.to = "other"; }).reason, Refusal::Node);
  EXPECT_EQ(with([](auto& h) { h.group = "other"; }).reason, Refusal::Group);
  EXPECT_EQ(with([](auto& h) { h.from = "other"; }).reason, Refusal::Group);
  EXPECT_EQ(with([](auto& h) { h.worker_count = 0; }).reason, Refusal::Workers);
  EXPECT_EQ(with([](auto& h) { h.worker = 1; }).reason, Refusal::Workers);
  EXPECT_EQ(with([](auto& h) { h.worker_count = 257; }).reason, Refusal::Workers);
  EXPECT_EQ(with([](auto& h) { h.epoch = 6; }), (replication::Refused{Refusal::HigherEpoch, 7}));
  static_cast<void>(news());
  EXPECT_EQ(with([](auto& h) { h.epoch = 8; }).reason, Refusal::Group);
  EXPECT_EQ(with([](auto& h) { h.epoch = 8; }).reason, Refusal::Group);
  EXPECT_EQ(news(), std::vector{NewsKind::HigherEpoch});
}

TEST_F(StandbyTest, TellsAtOnceThatItsPrimaryEnded) {
  start();
  follow();
  join();
  static_cast<void>(news());
  live->close();
  run();
  EXPECT_EQ(news(), std::vector{NewsKind::PrimaryGone});
  EXPECT_EQ(last_gone, replication::GoneHow::Ended);
}

TEST_F(StandbyTest, TellsThatItsPrimaryIsSilent) {
  start();
  follow();
  join();
  for (int count = 0; count < 10; ++count) {
    run(100 * base::ns_per_ms);
    say(FrameType::Beat);
  }
  EXPECT_GE(live->beats, 9U);
  static_cast<void>(news());
  run(280 * base::ns_per_ms);
  EXPECT_EQ(news(), std::vector<NewsKind>{});
  run(40 * base::ns_per_ms);
  EXPECT_EQ(news(), std::vector{NewsKind::PrimaryGone});
  EXPECT_EQ(last_gone, replication::GoneHow::Silent);
  run(base::ns_per_second);
  EXPECT_EQ(news(), std::vector<NewsKind>{});
}

TEST_F(StandbyTest, TellsThatItsPrimaryNeverCame) {
  start();
  follow();
  run(290 * base::ns_per_ms);
  EXPECT_EQ(news(), std::vector<NewsKind>{});
  run(20 * base::ns_per_ms);
  EXPECT_EQ(news(), std::vector{NewsKind::PrimaryGone});
  EXPECT_EQ(last_gone, replication::GoneHow::Absent);
}

TEST_F(StandbyTest, AGoodbyeIsNoDeath) {
  start();
  follow();
  join();
  static_cast<void>(news());
  std::string out;
  replication::put_goodbye(out, replication::Goodbye::Behind);
  live->send(out);
  run();
  live->close();
  run();
  EXPECT_EQ(news(), std::vector{NewsKind::Left});
  EXPECT_EQ(last_code, base::MessageCode("R112"));
}

TEST_F(StandbyTest, APromiseEndsTheStreamAndRefusesItsEpochForEver) {
  start();
  follow();
  join();
  static_cast<void>(news());
  process->standby->promise("group", 8);
  process->wake_standby();
  send_message();
  live->send(tap.take());
  run();
  EXPECT_EQ(replication::read_refused(live->expect(FrameType::Refused)),
            (replication::Refused{replication::Refusal::HigherEpoch, 8}));
  EXPECT_FALSE(live->take());
  EXPECT_EQ(news(), std::vector{NewsKind::Promised});
  process->standby->release("group");
  process->wake_standby();
  run();
  EXPECT_EQ(news(), std::vector{NewsKind::Released});
  EXPECT_EQ(refused(hello(7)), (replication::Refused{replication::Refusal::HigherEpoch, 8}));
  follow(7);
  EXPECT_EQ(refused(hello(7)), (replication::Refused{replication::Refusal::HigherEpoch, 8}));
}

// Its acknowledgements let output leave until the primary knows better.
TEST_F(StandbyTest, APromiseIsToldOnceThePrimaryHasSeenItOrIsSilent) {
  for (const bool is_seen : {true, false}) {
    start();
    follow();
    join();
    static_cast<void>(news());
    network.hold(standby_node, live->node, true);
    process->standby->promise("group", 8);
    process->wake_standby();
    run(10 * base::ns_per_ms);
    EXPECT_EQ(news(), std::vector<NewsKind>());
    if (is_seen) {
      network.hold_nothing();
      run();
    } else {
      run(280 * base::ns_per_ms);
      EXPECT_EQ(news(), std::vector<NewsKind>());
      run(20 * base::ns_per_ms);
    }
    EXPECT_EQ(news(), std::vector{NewsKind::Promised});
    TearDown();
    network.hold_nothing();
    live = std::make_unique<ScriptedNode>(network);
    tap = {};
  }
}

TEST_F(StandbyTest, InputWaitsUnreadWhileHistoryIsFetched) {
  start();
  follow();
  greet(hello());
  live->expect(FrameType::Accepted);
  say(FrameType::MayFetch);
  serve_history();
  live->expect(FrameType::Want);
  for (int count = 0; count < 300; ++count) {
    send_message();
  }
  begin(800);
  send_message();
  ship();
  // Its beats go on, and it acknowledges nothing.
  run(150 * base::ns_per_ms);
  EXPECT_GE(live->beats, 1U);
  EXPECT_FALSE(live->take());
  serve_history();
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), 800U);
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
  expect_equal();
}

TEST_F(StandbyTest, ADeathWhileInputWaitsIsNoticed) {
  start();
  follow();
  greet(hello());
  live->expect(FrameType::Accepted);
  say(FrameType::MayFetch);
  serve_history();
  live->expect(FrameType::Want);
  send_message();
  begin();
  static_cast<void>(news());
  live->close();
  history->close();
  run(base::ns_per_second);
  EXPECT_EQ(news(), std::vector{NewsKind::PrimaryGone});
}

TEST_F(StandbyTest, AConnectionThatBreaksWithinAFrameGoesOnBeforeIt) {
  start();
  follow();
  join();
  send_message();
  ship();
  live->expect(FrameType::Stored);
  const std::uint64_t place = tap.place;
  send_message(2000);
  const std::string frames = tap.take();
  live->send(frames.substr(0, 1000));
  run();
  live->close();
  run();
  greet(hello());
  EXPECT_EQ(replication::read_accepted(live->expect(FrameType::Accepted)),
            (replication::Accepted{7, 77, place}));
  std::string out;
  replication::put_place(out, FrameType::Resume, place);
  live->send(out + frames);
  run();
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
  expect_equal();
}

TEST_F(StandbyTest, AConnectionThatBreaksBetweenPartsOfARecordGoesOnBeforeTheFirst) {
  primary.reset();
  std::filesystem::remove_all(directory.path("primary"));
  journal::Options options;
  options.directory = directory.path("primary");
  options.identity = identity;
  options.first_segment_bytes = 1024 * 1024;
  primary = std::move(*journal::Journal::open(options));
  start();
  follow();
  join();
  send_message();
  ship();
  live->expect(FrameType::Stored);
  const std::uint64_t place = tap.place;
  send_message(150'000);
  const std::string frames = tap.take();
  const std::size_t first = replication::first_frame(frames).size;
  ASSERT_LT(first, frames.size());
  live->send(frames.substr(0, first));
  run();
  EXPECT_FALSE(live->take());
  live->close();
  run();
  greet(hello());
  EXPECT_EQ(replication::read_accepted(live->expect(FrameType::Accepted)),
            (replication::Accepted{7, 77, place}));
  std::string out;
  replication::put_place(out, FrameType::Resume, place);
  live->send(out + frames);
  run(10 * base::ns_per_ms);
  std::optional<std::uint64_t> stored;
  while (const auto frame = live->take()) {
    ASSERT_EQ(frame->type, FrameType::Stored);
    stored = replication::read_place(frame->payload);
    EXPECT_TRUE(stored == place || stored == tap.place);
  }
  EXPECT_EQ(stored, tap.place);
  expect_equal();
}

// The copy is where the stream begins, but the stream begins only when the primary has told of the
// other journal too. Meanwhile history is asked.
TEST_F(StandbyTest, APieceOfHistoryThatComesAfterTheBeginChangesNothing) {
  const auto received = primary->append_received(1, 2, 1, "order");
  ASSERT_EQ(received.result(), journal::AppendResult::Appended);
  start();
  follow();
  greet(hello());
  live->expect(FrameType::Accepted);
  say(FrameType::MayFetch);
  serve_history();
  live->expect(FrameType::Want);
  std::string out;
  const std::vector<Position> unprocessed = primary->unprocessed_positions();
  replication::put_begin(out, {0, 2});
  replication::put_journal(out, {.tap = 0,
                                 .at = primary->end(),
                                 .reserve = primary->reserved_outgoing(),
                                 .unprocessed = 1,
                                 .identity = identity});
  replication::put_unprocessed(out, 0, unprocessed.data(), unprocessed.size());
  live->send(out);
  run();
  const auto fetch = history->take();
  ASSERT_TRUE(fetch);
  ASSERT_EQ(fetch->type, FrameType::Fetch);
  std::string piece;
  server.answer(served(), *replication::read_fetch(fetch->payload), piece);
  out.clear();
  replication::put_journal(
      out, {.tap = 1, .at = {1, 4096}, .reserve = 1000, .identity = "FIX.4.4:US->OTHER"});
  live->send(out);
  run();
  primary->set_tap(&tap, 0);
  primary->mark_processed(unprocessed.front());
  ship();
  history->send(piece);
  run();
  EXPECT_FALSE(history->take());
  expect_equal();
}

// The copy of the new journal is not where the stream is for it, so the place of the stream says
// nothing about it.
TEST_F(StandbyTest, AConnectionThatBreaksWhileAJournalJoinsDoesNotGoOn) {
  start();
  follow(7, {identity, "FIX.4.4:US->SECOND"});
  join();
  send_message();
  ship();
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
  std::string out;
  replication::put_journal(
      out, {.tap = 1, .at = {1, 4096}, .reserve = 1000, .identity = "FIX.4.4:US->SECOND"});
  live->send(out);
  run();
  EXPECT_FALSE(live->take());
  live->close();
  run();
  greet(hello());
  EXPECT_EQ(replication::read_accepted(live->expect(FrameType::Accepted)),
            (replication::Accepted{7, 0, 0}));
}

TEST_F(StandbyTest, AJournalThatItDoesNotHaveIsPassedOver) {
  start();
  follow(7, {"FIX.4.4:US->OTHER"});
  greet(hello());
  live->expect(FrameType::Accepted);
  say(FrameType::MayFetch);
  serve_history();
  live->expect(FrameType::Want);
  begin();
  EXPECT_EQ(last_code, base::MessageCode());
  static_cast<void>(news());
  send_message();
  ship();
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
}

TEST_F(StandbyTest, GivesItsCopiesBackOpenAndTellsWhetherTheyAreWhole) {
  for (int count = 0; count < 10; ++count) {
    send_message();
  }
  start();
  follow();
  join();
  send_message();
  ship();
  static_cast<void>(news());
  process->standby->release("group");
  process->wake_standby();
  run();
  auto released = process->standby->take_news();
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].kind, NewsKind::Released);
  EXPECT_TRUE(released[0].whole);
  ASSERT_EQ(released[0].journals.size(), 1U);
  journal::Journal& copy = *released[0].journals[0].journal;
  EXPECT_TRUE(copy.is_copy());
  EXPECT_EQ(copy.end(), primary->end());
  EXPECT_EQ(copy.next_outgoing(), primary->next_outgoing());
  EXPECT_EQ(copy.reserved_outgoing(), primary->reserved_outgoing());
  ASSERT_TRUE(copy.lead());
  EXPECT_EQ(copy.append_sent(copy.next_outgoing(), 1, "next"), journal::AppendResult::Appended);
}

TEST_F(StandbyTest, CopiesInTheMiddleOfHistoryAreNotWhole) {
  send_message();
  start();
  follow();
  greet(hello());
  say(FrameType::MayFetch);
  process->standby->release("group");
  process->wake_standby();
  run();
  bool found = false;
  for (const replication::News& one : process->standby->take_news()) {
    if (one.kind == NewsKind::Released) {
      found = true;
      EXPECT_FALSE(one.whole);
    }
  }
  EXPECT_TRUE(found);
}

TEST_F(StandbyTest, AcknowledgesWhatIsOnTheDiskIfThatIsAskedFor) {
  copy_options.durability = journal::Durability::Group;
  start({.work = replication::CopyWork::Apart});
  follow(7, {identity}, replication::AckWhen::Flushed);
  join();
  while (process->standby->prepare()) {
  }
  process->wake_standby();
  run();
  live->frames.clear();
  send_message();
  ship();
  EXPECT_FALSE(live->take());
  EXPECT_TRUE(process->standby->prepare());
  process->wake_standby();
  run();
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
}

TEST_F(StandbyTest, FlushesInItsTurnsWithoutAnotherThread) {
  copy_options.durability = journal::Durability::Group;
  start();
  follow(7, {identity}, replication::AckWhen::Flushed);
  join();
  run(10 * base::ns_per_ms);
  live->frames.clear();
  send_message();
  ship();
  run(10 * base::ns_per_ms);
  EXPECT_EQ(replication::read_place(live->expect(FrameType::Stored)), tap.place);
}

// Segments whose marks a power loss may take are not let go of.
TEST_F(StandbyTest, VouchesForMarksOnceEverythingBeforeThemIsOnTheDisk) {
  for (const auto work : {replication::CopyWork::InTurns, replication::CopyWork::Apart}) {
    process.reset();
    std::filesystem::remove_all(directory.path("copy0"));
    copy_options.durability = journal::Durability::Group;
    copy_options.mark_trust = journal::MarkTrust::Vouched;
    copy_options.keep_bytes = 1;
    start({.work = work});
    follow(7, {identity}, replication::AckWhen::Flushed);
    join();
    const std::uint32_t begin = primary->end().segment;
    ASSERT_NO_FATAL_FAILURE(process_messages(begin + 6));
    EXPECT_GT(oldest_of_copy(), begin);
    expect_equal();
  }
}

// The answer to a message may be in any copy.
TEST_F(StandbyTest, VouchesForNoMarkWhileAnotherCopyIsNotOnTheDisk) {
  using Call = support::RecordingDisk::Call;
  bool refuses = false;
  disk.fault = [&](Call call, const std::string& path) {
    const bool syncs = call == Call::SyncFile || call == Call::SyncMapping;
    return refuses && syncs && path.contains("copy1") ? EIO : 0;
  };
  copy_options.disk = &disk;
  copy_options.durability = journal::Durability::Group;
  copy_options.mark_trust = journal::MarkTrust::Vouched;
  copy_options.keep_bytes = 1;
  constexpr const char* second = "FIX.4.4:US->Q";
  served_journals.push_back({second, directory.path("answers")});
  journal::Options options;
  options.directory = directory.path("answers");
  options.identity = second;
  options.sequence_reserve = 1000;
  const auto answers = std::move(*journal::Journal::open(options));
  start({.work = replication::CopyWork::Apart});
  follow(7, {identity, second});
  greet(hello());
  live->expect(FrameType::Accepted);
  say(FrameType::MayFetch);
  serve_history();
  live->expect(FrameType::Want);
  std::string out;
  replication::put_begin(out, {0, 2});
  std::uint32_t tap_id = 0;
  for (journal::Journal* const one : {primary.get(), answers.get()}) {
    replication::put_journal(out, {.tap = tap_id,
                                   .at = one->end(),
                                   .reserve = one->reserved_outgoing(),
                                   .identity = tap_id == 0 ? identity : second});
    one->set_tap(&tap, tap_id++);
  }
  live->send(out);
  run();
  serve_history();
  const std::uint32_t begin = primary->end().segment;
  refuses = true;
  ASSERT_EQ(answers->append_sent(1, 1, "answer"), journal::AppendResult::Appended);
  ASSERT_NO_FATAL_FAILURE(process_messages(begin + 6));
  EXPECT_EQ(oldest_of_copy(), begin);
  refuses = false;
  ASSERT_NO_FATAL_FAILURE(process_messages(begin + 12));
  EXPECT_GT(oldest_of_copy(), begin);
  process.reset();
}

TEST_F(StandbyTest, TheStreamsOfTwoWorkersAreInSyncTogether) {
  send_message();
  start();
  follow();
  replication::Hello greeting = hello();
  greeting.worker_count = 2;
  greet(greeting);
  live->expect(FrameType::Accepted);
  EXPECT_EQ(news(), std::vector<NewsKind>{});
  ScriptedNode other(network);
  other.connect(self.address);
  run();
  greeting.worker = 1;
  greeting.stream = 78;
  std::string out;
  replication::put_hello(out, greeting);
  other.send(out);
  run();
  other.expect(FrameType::Accepted);
  EXPECT_EQ(news(), std::vector{NewsKind::Connected});
  // History waits until both workers allow it.
  say(FrameType::MayFetch);
  EXPECT_EQ(history->accepted, 0U);
  out.clear();
  replication::put_plain(out, FrameType::MayFetch);
  other.send(out);
  serve_history();
  live->expect(FrameType::Want);
  other.expect(FrameType::Want);
  begin(8);
  EXPECT_EQ(news(), std::vector{NewsKind::OutOfSync});
  out.clear();
  replication::put_begin(out, {8, 0});
  other.send(out);
  run();
  EXPECT_EQ(news(), std::vector{NewsKind::InSync});
  // The end of one of them is the primary's.
  other.close();
  run();
  EXPECT_EQ(news(), std::vector{NewsKind::PrimaryGone});
}

TEST_F(StandbyTest, DamagedBytesEndTheStreamAndHistoryMendsIt) {
  start();
  follow();
  join();
  send_message();
  std::string frames = tap.take();
  frames[frames.size() - 20] ^= 1;
  live->send(frames);
  run();
  EXPECT_EQ(replication::read_goodbye(live->expect(FrameType::Goodbye)),
            replication::Goodbye::Damaged);
  run(200 * base::ns_per_ms);
  join();
  expect_equal();
}

TEST_F(StandbyTest, ACopyOfAnotherJournalIsSetAsideAndBegunAnew) {
  {
    journal::Options other = copy_options;
    other.directory = directory.path("copy0");
    other.identity = identity;
    auto opened = journal::Journal::open(other);
    ASSERT_TRUE(opened);
    ASSERT_EQ((*opened)->append_sent(1, 1, "of another life"), journal::AppendResult::Appended);
  }
  send_message();
  start();
  follow();
  join();
  expect_equal();
  EXPECT_TRUE(std::filesystem::exists(directory.path("copy0.epoch-7")));
}

TEST_F(StandbyTest, FramesOutOfTurnEndTheConnection) {
  start();
  follow();
  const auto ended_by = [&](std::string_view bytes) {
    live->send(bytes);
    run();
    run();
    return !live->open;
  };
  std::string stored;
  replication::put_place(stored, FrameType::Stored, 1);
  std::string want;
  replication::put_plain(want, FrameType::Want);
  std::string unknown(8, '\0');
  unknown[0] = 8;
  unknown[4] = 99;
  std::string record(replication::record_frame_header_bytes + 48, '\0');
  replication::write_record(record.data(), 5, {1, 4096}, std::string(48, 'x'));
  for (const std::string& bytes : {stored, want, unknown, record, std::string(64, '\xEE')}) {
    live->frames.clear();
    live->connect(self.address);
    run();
    EXPECT_TRUE(ended_by(bytes));
    greet(hello());
    EXPECT_TRUE(ended_by(bytes));
    if (!HasFailure()) {
      join();
      EXPECT_TRUE(ended_by(bytes));
      run(200 * base::ns_per_ms);
    }
  }
}

TEST_F(StandbyTest, WhoSaysNothingIsSentAway) {
  start();
  live->connect(self.address);
  run();
  EXPECT_TRUE(live->open);
  run(base::ns_per_second);
  EXPECT_FALSE(live->open);
}

}  // namespace
}  // namespace affix::replication_test
