// SPDX-License-Identifier: MIT
// A failover group on two nodes: one leads, the other takes over with the same numbers when that
// one is gone, and nothing that the counterparty has seen is lost.
#include "support/virtual_cluster.hpp"

#include <algorithm>
#include <cerrno>

namespace affix::support {
namespace {

/// No file gets any longer while it is full.
class FullDisk final : public journal::Disk {
 public:
  bool is_full = false;

  int allocate(int file, const std::string& path, std::uint64_t bytes) noexcept override {
    return is_full ? ENOSPC : Disk::allocate(file, path, bytes);
  }
};

class EngineFailover : public VirtualClusterTest {
 protected:
  explicit EngineFailover(std::size_t count = 2) : VirtualClusterTest(count) {}

  void set_mode(config::Replication mode) {
    for (const auto& node : nodes) {
      node->settings.failovers.front().replication = mode;
    }
  }

  /// The standbys hear and say nothing for this time.
  void stall_standbys(std::int64_t ns) {
    for (std::size_t at = 1; at < nodes.size(); ++at) {
      network.stall(nodes[at]->standby_node, ns);
      network.stall(nodes[at]->engine_node, ns);
    }
  }

  void hold_between_nodes(bool held) {
    for (const auto& from : nodes) {
      for (const auto& to : nodes) {
        if (from != to) {
          network.hold(from->engine_node, to->standby_node, held);
          network.hold(to->standby_node, from->engine_node, held);
        }
      }
    }
  }

  void begin() {
    for (const auto& node : nodes) {
      node->application.when_message = [](host::SessionHandle session,
                                          const wire::MessageView& message, const auto&) {
        static_cast<void>(send_order(session, message.find(11U).value_or("?")));
      };
    }
    open_all();
    open_firm();
    ASSERT_TRUE(run_until([&] { return leads(0) && trades(); })) << story();
    ASSERT_TRUE(run_until([&] { return standing(0).in_sync.size() == 2; })) << story();
  }

  [[nodiscard]] bool answered(std::string_view id) const {
    return std::ranges::find(firm_application.messages, id, &Recorder::Message::id) !=
           firm_application.messages.end();
  }

  void send(std::string_view id) {
    ASSERT_EQ(send_order(firm->sessions().front(), id).status, host::SendStatus::Sent);
    network.wake(firm_node);
  }
};

TEST_F(EngineFailover, TheFirstNodeLeadsAndTheOtherFollows) {
  begin();
  EXPECT_FALSE(leads(1));
  EXPECT_TRUE(nodes[1]->engine->sessions().empty());
  send("1");
  EXPECT_TRUE(run_until([&] { return answered("1"); }));
}

TEST_F(EngineFailover, NothingLeavesThatTheStandbyDoesNotHave) {
  begin();
  // The standby hears nothing any more, and the primary cannot take it out of the set.
  store.set_running(false);
  stall_standbys(base::ns_per_second);
  send("1");
  run(base::ns_per_second / 2);
  EXPECT_FALSE(answered("1"));
  EXPECT_TRUE(run_until([&] { return answered("1"); }));
}

TEST_F(EngineFailover, TheStandbyTakesOverWithTheSameNumbers) {
  begin();
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  const std::uint64_t next = nodes[0]->engine->sessions().front().next_sender_seq();
  kill(0);
  const std::int64_t killed_ns = network.steady_ns();
  ASSERT_TRUE(run_until([&] { return leads(1); }));
  EXPECT_LE(network.steady_ns() - killed_ns, 100 * base::ns_per_ms);
  ASSERT_TRUE(run_until([&] { return trades(); }));
  EXPECT_GE(nodes[1]->engine->sessions().front().next_sender_seq(), next);
  send("2");
  EXPECT_TRUE(run_until([&] { return answered("2"); }));
}

TEST_F(EngineFailover, AnEarlierPrimaryComesBackAsAStandbyAndTakesOverAgain) {
  begin();
  kill(0);
  ASSERT_TRUE(run_until([&] { return leads(1) && trades(); }));
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  open(0);
  ASSERT_TRUE(run_until([&] { return standing(1).in_sync.size() == 2; }));
  EXPECT_FALSE(leads(0));
  kill(1);
  ASSERT_TRUE(run_until([&] { return leads(0) && trades(); }));
  send("2");
  EXPECT_TRUE(run_until([&] { return answered("2"); }));
}

TEST_F(EngineFailover, ANodeThatIsKilledBeforeItsEpochIsOnTheDiskLeadsAgain) {
  for (const auto& node : nodes) {
    node->settings.sessions.back().durability = journal::Durability::Sync;
  }
  begin();
  // Its disk takes nothing from here on.
  const auto turn = [this] { nodes[1]->engine->poll(testing::VirtualNetwork::never_ns); };
  network.set_turn(nodes[1]->engine_node, turn);
  network.set_turn(nodes[1]->standby_node, turn);
  kill(0);
  ASSERT_TRUE(run_until([&] { return leads(1); })) << story();
  kill(1);
  open(1);
  ASSERT_TRUE(run_until([&] { return leads(1) && trades(); })) << story();
  send("1");
  EXPECT_TRUE(run_until([&] { return answered("1"); }));
}

class EngineFailoverFullDisk : public EngineFailover {
 protected:
  ~EngineFailoverFullDisk() override { nodes.clear(); }

  FullDisk disk;
};

TEST_F(EngineFailoverFullDisk, AGroupIsLedWithAllOfItsJournalsOrNot) {
  // The other node has been restarted with a session more.
  config::Configuration& settings = nodes[1]->settings;
  add_session(settings, "VENUE", "OTHER", directory.path("venue-b"));
  settings.sessions.back().sequence_reserve = 100'000;
  settings.sessions.back().journal_disk = &disk;
  begin();
  disk.is_full = true;
  kill(0);
  EXPECT_FALSE(run_until([&] { return leads(1); }, 5 * base::ns_per_second)) << story();
  EXPECT_TRUE(nodes[1]->engine->sessions().empty());
  disk.is_full = false;
  ASSERT_TRUE(run_until([&] { return leads(1) && trades(); })) << story();
  EXPECT_EQ(nodes[1]->engine->sessions().size(), 2U);
  send("1");
  EXPECT_TRUE(run_until([&] { return answered("1"); }));
}

TEST_F(EngineFailover, AHandOverLosesNothing) {
  begin();
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  const auto answer = nodes[0]->engine->hand_over("venue", "b");
  ASSERT_TRUE(answer);
  ASSERT_EQ(*answer, replication::WishAnswer::Begun);
  ASSERT_TRUE(run_until([&] { return leads(1) && !leads(0) && trades(); })) << story();
  send("2");
  ASSERT_TRUE(run_until([&] { return answered("2"); }));
  ASSERT_TRUE(run_until([&] { return standing(1).in_sync.size() == 2; }));
}

TEST_F(EngineFailover, WithBeforeDeliverTheApplicationGetsWhatTheStandbyHas) {
  set_mode(config::Replication::BeforeDeliver);
  begin();
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  store.set_running(false);
  stall_standbys(base::ns_per_second);
  for (const std::string id : {"2", "3", "4"}) {
    send(id);
  }
  run(base::ns_per_second / 2);
  EXPECT_EQ(nodes[0]->application.ids(), std::vector<std::string>{"1"});
  EXPECT_TRUE(run_until([&] { return answered("4"); })) << story();
  EXPECT_EQ(nodes[0]->application.ids(), (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST_F(EngineFailover, WithAsyncNothingWaitsAndNoNumberIsUsedTwice) {
  set_mode(config::Replication::Async);
  begin();
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  stall_standbys(20 * base::ns_per_ms);
  send("2");
  ASSERT_TRUE(run_until([&] { return answered("2"); }, 20 * base::ns_per_ms)) << story();
  const std::uint64_t used = nodes[0]->engine->sessions().front().next_sender_seq();
  kill(0);
  ASSERT_TRUE(run_until([&] { return leads(1) && trades(); })) << story();
  EXPECT_GE(nodes[1]->engine->sessions().front().next_sender_seq(), used);
  send("3");
  EXPECT_TRUE(run_until([&] { return answered("3"); })) << story();
}

TEST_F(EngineFailover, WithAsyncNothingLeavesAfterTheLeaseThatWasFreeToLeaveBefore) {
  set_mode(config::Replication::Async);
  for (const auto& node : nodes) {
    node->settings.sessions.back().durability = journal::Durability::Sync;
  }
  begin();
  // The primary is paused between a message's commit and the flush that lets it leave, for longer
  // than its lease, and nobody can tell it what has happened meanwhile.
  hold_between_nodes(true);
  store.set_reachable("a", false);
  network.stall(nodes[0]->engine_node, 3 * base::ns_per_second);
  network.stall(nodes[0]->standby_node, 3 * base::ns_per_second);
  ASSERT_EQ(send_order(nodes[0]->engine->sessions().front(), "late").status,
            host::SendStatus::Sent);
  network.wake(nodes[0]->engine_node);
  ASSERT_TRUE(run_until([&] { return leads(1); }, 3 * base::ns_per_second)) << story();
  run(3 * base::ns_per_second);
  EXPECT_TRUE(leads(0)) << "it knows of nothing";
  EXPECT_FALSE(answered("late")) << story();
  hold_between_nodes(false);
  store.set_reachable("a", true);
  ASSERT_TRUE(run_until([&] { return trades() && !leads(0); })) << story();
  send("1");
  EXPECT_TRUE(run_until([&] { return answered("1"); })) << story();
}

TEST_F(EngineFailover, APrimaryThatEndsInOrderIsFollowedByTheOther) {
  begin();
  nodes[0]->engine->finish("end of day", network.steady_ns() + base::ns_per_second);
  network.set_turn(nodes[0]->engine_node, {});
  network.set_turn(nodes[0]->standby_node, {});
  nodes[0]->engine.reset();
  EXPECT_TRUE(run_until([&] { return leads(1) && trades(); })) << story();
}

class EngineFailoverOfThree : public EngineFailover {
 protected:
  EngineFailoverOfThree() : EngineFailover(3) {}
};

TEST_F(EngineFailoverOfThree, TwoNodesMayBeLostOneAfterTheOther) {
  for (const auto& node : nodes) {
    node->application.when_message = [](host::SessionHandle session,
                                        const wire::MessageView& message, const auto&) {
      static_cast<void>(send_order(session, message.find(11U).value_or("?")));
    };
  }
  open_all();
  open_firm();
  ASSERT_TRUE(run_until([&] { return leads(0) && standing(0).in_sync.size() == 3 && trades(); }))
      << story();
  send("1");
  ASSERT_TRUE(run_until([&] { return answered("1"); }));
  kill(0);
  ASSERT_TRUE(run_until([&] { return leads(1) && standing(1).in_sync.size() == 2 && trades(); }))
      << story();
  send("2");
  ASSERT_TRUE(run_until([&] { return answered("2"); }));
  kill(1);
  ASSERT_TRUE(run_until([&] { return leads(2) && trades(); })) << story();
  send("3");
  EXPECT_TRUE(run_until([&] { return answered("3"); })) << story();
}

TEST_F(EngineFailover, AStandbyThatIsGoneIsTakenOutAndTradingGoesOn) {
  begin();
  kill(1);
  send("1");
  EXPECT_TRUE(run_until([&] { return answered("1"); }));
  EXPECT_EQ(standing(0).in_sync, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace affix::support
