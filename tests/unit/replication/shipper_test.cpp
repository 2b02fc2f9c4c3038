// SPDX-License-Identifier: MIT
// A Shipper against standbys that the test plays by hand.
#include "unit/replication/cluster.hpp"
#include "unit/replication/scripted_node.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace affix::replication_test {
namespace {

using replication::FrameType;

class ShipperTest : public ::testing::Test {
 protected:
  /// Makes a Shipper with `count` standbys, which listen.
  void make(std::size_t count, replication::ShipperOptions options = {}) {
    options.cluster = "cluster";
    options.node = "primary";
    options.group = "group";
    options.epoch = 7;
    for (std::size_t at = 0; at < count; ++at) {
      peers.push_back(std::make_unique<ScriptedNode>(network));
      peers.back()->listen();
      options.standbys.push_back({"standby" + std::to_string(at), peers.back()->address});
    }
    const replication::Node self{"primary", *net::Address::parse("10.0.0.200:7000")};
    const testing_kit::NodeId worker = network.add_node();
    const testing_kit::NodeId listener = network.add_node();
    process = std::make_unique<Process>(network, worker, listener, self,
                                        replication::StandbyOptions{.cluster = "c", .node = "n"});
    process->lead(std::move(options));
    worker_node = worker;
    journal::Options own;
    own.directory = directory.path("0");
    own.identity = "FIX.4.4:US->P";
    own.sequence_reserve = 1000;
    primary = std::move(*journal::Journal::open(own));
  }

  void TearDown() override {
    if (process) {
      process->shipper.reset();
    }
    process.reset();
  }

  void run(std::int64_t ns = base::ns_per_ms) { ASSERT_TRUE(network.run(ns)); }

  void turn() {
    process->end_turn();
    run();
  }

  void send_message(std::size_t bytes = 100) {
    ASSERT_EQ(primary->append_sent(primary->next_outgoing(), 1, std::string(bytes, 'x')),
              journal::AppendResult::Appended);
  }

  void accept(ScriptedNode& peer, replication::Accepted accepted = {}) {
    std::string out;
    replication::put_accepted(out, accepted);
    peer.send(out);
    run();
  }

  void say(ScriptedNode& peer, FrameType type) {
    std::string out;
    replication::put_plain(out, type);
    peer.send(out);
    run();
  }

  void acknowledge(ScriptedNode& peer, replication::Place place) {
    std::string out;
    replication::put_place(out, FrameType::Stored, place);
    peer.send(out);
    run();
  }

  /// Hello, Accepted, MayFetch, Want, Begin, and one Journal for each that was added.
  replication::Begin join(ScriptedNode& peer) {
    run();
    peer.expect(FrameType::Hello);
    accept(peer);
    peer.expect(FrameType::MayFetch);
    say(peer, FrameType::Want);
    const auto begin = replication::read_begin(peer.expect(FrameType::Begin));
    EXPECT_TRUE(begin);
    for (std::uint32_t count = 0; begin && count < begin->journals; ++count) {
      peer.expect(FrameType::Journal);
    }
    return begin.value_or(replication::Begin{});
  }

  /// A message waits for the acknowledgement of the only standby, which is in the gate.
  void send_to_a_gate_of_one() {
    make(1);
    static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
    acknowledge(*peers[0], join(*peers[0]).place);
    shipper().set_gate(1);
    turn();
    send_message();
    turn();
  }

  [[nodiscard]] replication::Shipper& shipper() { return *process->shipper; }

  support::TemporaryDirectory directory{support::TemporaryDirectory::On::Memory};
  VirtualNetwork network;
  std::vector<std::unique_ptr<ScriptedNode>> peers;
  testing_kit::NodeId worker_node{};
  std::unique_ptr<journal::Journal> primary;
  std::unique_ptr<Process> process;
};

TEST_F(ShipperTest, SaysHelloToEachStandbyByItsName) {
  make(2);
  run();
  for (std::size_t at = 0; at < 2; ++at) {
    const std::string payload = peers[at]->expect(FrameType::Hello);
    const auto hello = replication::read_hello(payload);
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->to, "standby" + std::to_string(at));
    EXPECT_EQ(hello->from, "primary");
    EXPECT_EQ(hello->group, "group");
    EXPECT_EQ(hello->cluster, "cluster");
    EXPECT_EQ(hello->epoch, 7U);
    EXPECT_NE(hello->stream, 0U);
  }
  EXPECT_EQ(shipper().connected(), 0U);
}

TEST_F(ShipperTest, AStreamBeginsAtTheEndOfATurnAndHasEverythingFromThere) {
  make(1);
  send_message();
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  send_message();
  run();
  peers[0]->expect(FrameType::Hello);
  accept(*peers[0]);
  peers[0]->expect(FrameType::MayFetch);
  EXPECT_EQ(shipper().connected(), 1U);
  EXPECT_EQ(shipper().caught_up(), 0U);
  send_message();
  const Position before = primary->end();
  say(*peers[0], FrameType::Want);
  const auto begin = replication::read_begin(peers[0]->expect(FrameType::Begin));
  ASSERT_TRUE(begin);
  EXPECT_EQ(begin->place, shipper().stored());
  EXPECT_EQ(begin->journals, 1U);
  const std::string payload = peers[0]->expect(FrameType::Journal);
  const auto journal = replication::read_journal(payload);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->identity, "FIX.4.4:US->P");
  EXPECT_EQ(journal->at, before);
  EXPECT_EQ(journal->reserve, primary->reserved_outgoing());
  EXPECT_EQ(shipper().caught_up(), 0U);
  acknowledge(*peers[0], begin->place);
  EXPECT_EQ(shipper().caught_up(), 1U);

  send_message();
  turn();
  const std::string stored = peers[0]->expect(FrameType::Record);
  const auto record = replication::read_record(stored);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->at, before);
  EXPECT_EQ(record->bytes.size(), journal::format::record_bytes(100));
  EXPECT_FALSE(peers[0]->take());
}

TEST_F(ShipperTest, ATurnLeavesInOneSend) {
  make(1);
  std::size_t sends = 0;
  network.on_sent = [&](testing_kit::NodeId from, testing_kit::LinkId, std::string_view) {
    sends += from == worker_node ? 1U : 0U;
  };
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  join(*peers[0]);
  sends = 0;
  for (int count = 0; count < 20; ++count) {
    send_message();
  }
  EXPECT_EQ(sends, 0U);
  process->end_turn();
  EXPECT_EQ(sends, 1U);
  run();
  for (int count = 0; count < 20; ++count) {
    peers[0]->expect(FrameType::Record);
  }
}

TEST_F(ShipperTest, TheGateWaitsForTheSlowestOfItsStandbys) {
  make(2);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin first = join(*peers[0]);
  const replication::Begin second = join(*peers[1]);
  EXPECT_EQ(shipper().released(), shipper().stored());
  acknowledge(*peers[0], first.place);
  acknowledge(*peers[1], second.place);
  send_message();
  const replication::Place before = shipper().stored();
  shipper().set_gate(3);
  turn();
  EXPECT_LT(shipper().released(), before);
  EXPECT_EQ(shipper().covered(), 0U);
  acknowledge(*peers[0], before);
  EXPECT_EQ(shipper().covered(), 1U);
  EXPECT_LT(shipper().released(), before);
  acknowledge(*peers[1], before);
  EXPECT_EQ(shipper().covered(), 3U);
  EXPECT_EQ(shipper().released(), before);
  send_message();
  turn();
  EXPECT_EQ(shipper().released(), before);
  shipper().set_gate(2);
  turn();
  EXPECT_EQ(shipper().covered(), 2U);
  acknowledge(*peers[1], shipper().stored());
  EXPECT_EQ(shipper().released(), shipper().stored());
}

TEST_F(ShipperTest, WhatIsCoveredIsTrueOfTheGateThatWasSetLast) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin begin = join(*peers[0]);
  shipper().set_gate(1);
  turn();
  acknowledge(*peers[0], begin.place);
  ASSERT_EQ(shipper().covered(), 1U);
  // The worker is late: it has seen neither that the standby leaves nor that it is back.
  shipper().set_gate(0);
  EXPECT_EQ(shipper().covered(), 0U);
  shipper().set_gate(1);
  EXPECT_EQ(shipper().covered(), 0U) << "something may have left meanwhile";
  turn();
  EXPECT_EQ(shipper().covered(), 1U) << "nothing has";
  // It sees both, and something leaves in between.
  shipper().set_gate(0);
  turn();
  send_message();
  turn();
  shipper().set_gate(1);
  EXPECT_EQ(shipper().covered(), 0U);
  turn();
  EXPECT_EQ(shipper().covered(), 0U);
  acknowledge(*peers[0], shipper().stored());
  EXPECT_EQ(shipper().covered(), 1U);
}

TEST_F(ShipperTest, AStandbyThatDoesNotAnswerInTimeIsLate) {
  make(1, {.timeout_ns = 5 * base::ns_per_ms});
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin begin = join(*peers[0]);
  acknowledge(*peers[0], begin.place);
  EXPECT_EQ(shipper().late(), 0U);
  send_message();
  turn();
  run(3 * base::ns_per_ms);
  EXPECT_EQ(shipper().late(), 0U);
  EXPECT_EQ(shipper().caught_up(), 1U);
  EXPECT_GT(shipper().lag_bytes(0), 0U);
  run(3 * base::ns_per_ms);
  EXPECT_EQ(shipper().late(), 1U);
  EXPECT_EQ(shipper().caught_up(), 0U);
  acknowledge(*peers[0], shipper().stored());
  EXPECT_EQ(shipper().late(), 0U);
  EXPECT_EQ(shipper().lag_bytes(0), 0U);
}

TEST_F(ShipperTest, AConnectionThatBreaksGoesOnWhereTheStandbyIs) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  run();
  const std::string greeting = peers[0]->expect(FrameType::Hello);
  const std::uint64_t stream = replication::read_hello(greeting)->stream;
  accept(*peers[0]);
  peers[0]->expect(FrameType::MayFetch);
  say(*peers[0], FrameType::Want);
  const auto begin = replication::read_begin(peers[0]->expect(FrameType::Begin));
  ASSERT_TRUE(begin);
  peers[0]->expect(FrameType::Journal);
  acknowledge(*peers[0], begin->place);
  shipper().set_gate(1);
  send_message(200);
  turn();
  const std::size_t first = peers[0]->frames.front().size;
  peers[0]->expect(FrameType::Record);
  const Position second = primary->end();
  send_message(300);
  turn();
  peers[0]->expect(FrameType::Record);
  peers[0]->close();
  run(200 * base::ns_per_ms);
  EXPECT_EQ(peers[0]->accepted, 2U);
  EXPECT_EQ(shipper().late(), 1U);
  peers[0]->expect(FrameType::Hello);
  // It had the first record only.
  const replication::Place place = begin->place + first;
  accept(*peers[0], {7, stream, place});
  EXPECT_EQ(replication::read_place(peers[0]->expect(FrameType::Resume)), place);
  const std::string again = peers[0]->expect(FrameType::Record);
  EXPECT_EQ(replication::read_record(again)->at, second);
  // Its records are acknowledged only when it says so.
  EXPECT_LE(shipper().released(), begin->place);
  acknowledge(*peers[0], shipper().stored());
  EXPECT_EQ(shipper().released(), shipper().stored());
  EXPECT_EQ(shipper().caught_up(), 1U);
  EXPECT_EQ(shipper().late(), 0U);
}

TEST_F(ShipperTest, WhatAStandbyMayAskForIsKeptWhileItIsAway) {
  make(2);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  run();
  const auto hello = replication::read_hello(peers[0]->expect(FrameType::Hello));
  ASSERT_TRUE(hello);
  const std::uint64_t stream = hello->stream;
  accept(*peers[0]);
  peers[0]->expect(FrameType::MayFetch);
  say(*peers[0], FrameType::Want);
  const auto begin = replication::read_begin(peers[0]->expect(FrameType::Begin));
  ASSERT_TRUE(begin);
  peers[0]->expect(FrameType::Journal);
  acknowledge(*peers[0], begin->place);
  acknowledge(*peers[1], join(*peers[1]).place);
  peers[0]->close();
  // Many blocks of the backlog, which the other one has at once.
  constexpr int messages = 200;
  for (int count = 0; count < messages; ++count) {
    send_message(2000);
    process->end_turn();
    if (count % 20 == 19) {
      acknowledge(*peers[1], shipper().stored());
    }
  }
  run(100 * base::ns_per_ms);
  peers[0]->expect(FrameType::Hello);
  accept(*peers[0], {7, stream, begin->place});
  EXPECT_EQ(replication::read_place(peers[0]->expect(FrameType::Resume)), begin->place);
  Position at;
  int records = 0;
  while (const auto frame = peers[0]->take()) {
    if (frame->type == FrameType::Record) {
      const auto record = replication::read_record(frame->payload);
      ASSERT_TRUE(record);
      ASSERT_LT(at, record->at);
      at = record->at;
      ++records;
    }
  }
  EXPECT_EQ(records, messages);
  acknowledge(*peers[0], shipper().stored());
  EXPECT_EQ(shipper().caught_up(), 3U);
}

TEST_F(ShipperTest, HistoryMayBeFetchedOnlyOutsideOfTheGate) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin begin = join(*peers[0]);
  acknowledge(*peers[0], begin.place);
  shipper().set_gate(1);
  turn();
  peers[0]->close();
  run(200 * base::ns_per_ms);
  peers[0]->expect(FrameType::Hello);
  accept(*peers[0], {7, 12345, 0});
  EXPECT_FALSE(peers[0]->take());
  EXPECT_EQ(shipper().late(), 1U);
  shipper().set_gate(0);
  turn();
  peers[0]->expect(FrameType::MayFetch);
  // Records of the former copy do not count for the new one.
  shipper().set_gate(1);
  turn();
  EXPECT_EQ(shipper().released(), 0U);
}

// It may have promised another epoch that this node cannot hear of.
TEST_F(ShipperTest, WhatAStandbyHasAcknowledgedCountsWhileItIsConnected) {
  make(2);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  acknowledge(*peers[0], join(*peers[0]).place);
  acknowledge(*peers[1], join(*peers[1]).place);
  shipper().set_gate(3);
  turn();
  send_message();
  turn();
  acknowledge(*peers[0], shipper().stored());
  const replication::Place waiting = shipper().released();
  ASSERT_LT(waiting, shipper().stored());
  peers[0]->close();
  run();
  acknowledge(*peers[1], shipper().stored());
  EXPECT_LE(shipper().released(), waiting);
  EXPECT_TRUE(shipper().is_reserve_known());
  shipper().set_gate(2);
  turn();
  EXPECT_EQ(shipper().released(), shipper().stored());
}

// The standby may have promised another epoch meanwhile, although it has not been heard yet.
TEST_F(ShipperTest, AnAcknowledgementFromBeforeALongPauseReleasesNothing) {
  send_to_a_gate_of_one();
  const replication::Place waiting = shipper().released();
  ASSERT_LT(waiting, shipper().stored());
  network.stall(worker_node, 350 * base::ns_per_ms);
  acknowledge(*peers[0], shipper().stored());
  run(340 * base::ns_per_ms);
  process->wake_up();
  EXPECT_LE(shipper().released(), waiting);
  run(200 * base::ns_per_ms);  // Longer than the pause before it dials again, and no silence.
  EXPECT_LE(shipper().released(), waiting);
  EXPECT_EQ(peers[0]->accepted, 2U);
}

TEST_F(ShipperTest, AnAcknowledgementAfterAShortPauseCounts) {
  send_to_a_gate_of_one();
  network.stall(worker_node, 200 * base::ns_per_ms);
  acknowledge(*peers[0], shipper().stored());
  run(190 * base::ns_per_ms);
  process->wake_up();
  EXPECT_EQ(shipper().released(), shipper().stored());
  EXPECT_EQ(peers[0]->accepted, 1U);
}

TEST_F(ShipperTest, AHigherEpochFencesAtOnceAndForEver) {
  make(2);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin begin = join(*peers[0]);
  acknowledge(*peers[0], begin.place);
  shipper().set_gate(1);
  send_message();
  turn();
  const replication::Place released = shipper().released();
  ASSERT_LT(released, shipper().stored());
  peers[1]->expect(FrameType::Hello);
  std::string out;
  replication::put_refused(out, {replication::Refusal::HigherEpoch, 9});
  peers[1]->send(out);
  run();
  EXPECT_TRUE(shipper().fenced());
  EXPECT_EQ(shipper().fenced_epoch(), 9U);
  EXPECT_EQ(shipper().released(), released);
  acknowledge(*peers[0], shipper().stored());
  EXPECT_EQ(shipper().released(), released);
  shipper().set_gate(0);
  turn();
  EXPECT_EQ(shipper().released(), released);
}

TEST_F(ShipperTest, ARefusalOfItsOwnEpochOrForAnotherReasonDoesNotFence) {
  make(1);
  run();
  peers[0]->expect(FrameType::Hello);
  std::string out;
  replication::put_refused(out, {replication::Refusal::Group, 7});
  peers[0]->send(out);
  run();
  EXPECT_FALSE(shipper().fenced());
  run(150 * base::ns_per_ms);
  EXPECT_EQ(peers[0]->accepted, 2U);
}

TEST_F(ShipperTest, AStandbyThatReadsNothingLosesTheStreamAndTheOthersDoNot) {
  make(2, {.backlog_bytes = replication::backlog_bytes_min});
  network.conditions.window_bytes = 16 * 1024;
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  join(*peers[0]);
  join(*peers[1]);
  peers[0]->read(false);
  run();
  for (int count = 0; count < 3000; ++count) {
    send_message(1000);
    process->end_turn();
    if (count % 8 == 0) {
      say(*peers[1], FrameType::Beat);
    }
  }
  run(20 * base::ns_per_ms);
  EXPECT_EQ(shipper().connected() & 1U, 0U);
  EXPECT_EQ(shipper().connected() & 2U, 2U);
  // The other one got every byte, in order.
  Position at;
  std::size_t records = 0;
  while (const auto frame = peers[1]->take()) {
    if (frame->type == FrameType::Record) {
      const auto record = replication::read_record(frame->payload);
      ASSERT_TRUE(record);
      EXPECT_LT(at, record->at);
      at = record->at;
      ++records;
    }
  }
  EXPECT_EQ(records, 3000U);
}

TEST_F(ShipperTest, AStandbyThatFallsBehindTheBacklogIsToldSo) {
  make(1, {.backlog_bytes = replication::backlog_bytes_min});
  network.conditions.window_bytes = 16 * 1024;
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  join(*peers[0]);
  peers[0]->read(false);
  run();
  int stored = 0;
  while (shipper().connected() != 0 && stored < 3000) {
    send_message(1000);
    ++stored;
    process->end_turn();
    if (stored % 50 == 0) {
      say(*peers[0], FrameType::Beat);
    }
  }
  // The ring has held about that much.
  EXPECT_GT(stored, 200);
  EXPECT_LT(stored, 300);
  peers[0]->read(true);
  run(90 * base::ns_per_ms);
  Position at = {1, 0};
  std::optional<replication::Goodbye> goodbye;
  while (const auto frame = peers[0]->take()) {
    EXPECT_FALSE(goodbye);
    if (frame->type == FrameType::Record) {
      const auto record = replication::read_record(frame->payload);
      ASSERT_TRUE(record);
      EXPECT_TRUE(at < record->at);
      at = record->at;
    } else if (frame->type == FrameType::Goodbye) {
      goodbye = replication::read_goodbye(frame->payload);
    }
  }
  EXPECT_EQ(goodbye, replication::Goodbye::Behind);
}

TEST_F(ShipperTest, RecordsThatFitNoFrameComeInParts) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  const replication::Begin begin = join(*peers[0]);
  send_message(150'000);
  turn();
  run(20 * base::ns_per_ms);
  std::string record;
  std::uint32_t total = 0;
  std::uint64_t bytes = 0;
  while (const auto frame = peers[0]->take()) {
    bytes += frame->size;
    if (frame->type == FrameType::RecordPart) {
      const auto part = replication::read_record_part(frame->payload);
      ASSERT_TRUE(part);
      EXPECT_EQ(part->offset, record.size());
      total = part->total;
      record += part->bytes;
    }
  }
  EXPECT_EQ(record.size(), total);
  EXPECT_EQ(total, journal::format::record_bytes(150'000));
  EXPECT_EQ(begin.place + bytes, shipper().stored());
}

TEST_F(ShipperTest, BeatsInSilenceAndEndsASilentConnection) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  join(*peers[0]);
  for (int count = 0; count < 10; ++count) {
    run(100 * base::ns_per_ms);
    say(*peers[0], FrameType::Beat);
  }
  EXPECT_GE(peers[0]->beats, 9U);
  EXPECT_LE(peers[0]->beats, 12U);
  EXPECT_EQ(peers[0]->accepted, 1U);
  run(500 * base::ns_per_ms);
  EXPECT_EQ(peers[0]->accepted, 2U);
}

TEST_F(ShipperTest, LeavesWithAGoodbye) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  join(*peers[0]);
  shipper().leave(network.now(worker_node));
  run();
  EXPECT_EQ(replication::read_goodbye(peers[0]->expect(FrameType::Goodbye)),
            replication::Goodbye::Stopping);
  run(base::ns_per_second);
  EXPECT_EQ(peers[0]->accepted, 1U);
}

TEST_F(ShipperTest, WhatBreaksTheProtocolIsToldSo) {
  make(1);
  static_cast<void>(shipper().add(*primary, "FIX.4.4:US->P"));
  std::vector<std::string> wrong;
  std::string out;
  replication::put_place(out, FrameType::Stored, UINT64_MAX);
  wrong.push_back(out);
  out.clear();
  replication::put_begin(out, {});
  wrong.push_back(out);
  wrong.push_back(std::string(8, '\0'));
  wrong.push_back(std::string(64, '\xFF'));
  for (const std::string& bytes : wrong) {
    join(*peers[0]);
    peers[0]->send(bytes);
    run();
    EXPECT_EQ(replication::read_goodbye(peers[0]->expect(FrameType::Goodbye)),
              replication::Goodbye::Protocol);
    peers[0]->frames.clear();
    run(120 * base::ns_per_ms);
  }
}

TEST_F(ShipperTest, RefusesOptionsThatItCannotServe) {
  make(0);
  PlainDialer dialer(process->worker_reactor());
  replication::ShipperOptions good{.cluster = "c", .node = "n", .group = "g", .epoch = 1};
  const auto code_with = [&](auto change) {
    replication::ShipperOptions options = good;
    change(options);
    auto made = replication::Shipper::make(std::move(options), process->worker_reactor(), dialer);
    return made ? base::MessageCode() : made.error().message_code;
  };
  EXPECT_EQ(code_with([](auto&) {}), base::MessageCode());
  EXPECT_EQ(code_with([](auto& o) { o.group.clear(); }), base::MessageCode("R121"));
  EXPECT_EQ(code_with([](auto& o) { o.node.assign(65, 'n'); }), base::MessageCode("R121"));
  EXPECT_EQ(code_with([](auto& o) { o.standbys.resize(17, {"s", {}}); }),
            base::MessageCode("R122"));
  EXPECT_EQ(code_with([](auto& o) { o.epoch = 0; }), base::MessageCode("R123"));
  EXPECT_EQ(code_with([](auto& o) { o.worker = 1; }), base::MessageCode("R123"));
  EXPECT_EQ(code_with([](auto& o) { o.backlog_bytes = 1000; }), base::MessageCode("R123"));
  EXPECT_EQ(code_with([](auto& o) { o.timeout_ns = 0; }), base::MessageCode("R123"));
}

}  // namespace
}  // namespace affix::replication_test
