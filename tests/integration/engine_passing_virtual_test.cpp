// SPDX-License-Identifier: MIT
// A failover group that is handed over between nodes of one machine, with a keeper that both use:
// the counterparty's connection goes on. Only then, and however the hand-over ends nobody waits at
// a connection that no process serves.
#include "support/virtual_cluster.hpp"

#include <algorithm>

namespace affix::support {
namespace {

class EnginePassing : public VirtualClusterTest {
 protected:
  explicit EnginePassing(std::size_t count = 2) : VirtualClusterTest(count) {
    keepers = std::make_shared<KeeperInstances>();
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
    await_both(0);
  }

  void await_both(std::size_t at) {
    ASSERT_TRUE(run_until([&] { return leads(at) && standing(at).in_sync.size() == nodes.size(); }))
        << story();
  }

  void hand_over(std::size_t from, std::size_t to) {
    const auto answer = nodes[from]->engine->hand_over("venue", nodes[to]->name);
    ASSERT_TRUE(answer);
    ASSERT_EQ(*answer, replication::WishAnswer::Begun);
  }

  /// Until the firm has an answer to one more order.
  void trade() {
    const std::string id = std::to_string(++orders);
    ASSERT_EQ(send_order(firm->sessions().front(), id).status, host::SendStatus::Sent) << story();
    network.wake(firm_node);
    ASSERT_TRUE(run_until([&] { return answers(id) == 1; })) << id << "\n" << story();
  }

  [[nodiscard]] std::ptrdiff_t answers(std::string_view id) const {
    return std::ranges::count(firm_application.messages, id, &Recorder::Message::id);
  }

  /// Every order so far has one answer.
  void expect_each_answered_once() const {
    for (int order = 1; order <= orders; ++order) {
      EXPECT_EQ(answers(std::to_string(order)), 1) << order;
    }
  }

  /// The firm logs on again, which takes its reconnect's pause, since its connection has ended.
  void expect_cut(std::size_t logons_before) {
    ASSERT_TRUE(run_until([&] { return firm_application.logons.size() > logons_before; }))
        << story();
  }

  int orders = 0;
};

TEST_F(EnginePassing, TheConnectionGoesOn) {
  begin();
  trade();
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return leads(1) && !leads(0); })) << story();
  trade();
  EXPECT_EQ(firm_application.logons.size(), 1U) << story();
  EXPECT_TRUE(firm_application.logouts.empty()) << story();
  EXPECT_TRUE(nodes[1]->application.heard_code("K302", "another node")) << story();
  EXPECT_TRUE(nodes[0]->application.heard_code("E306", "1 connections go on at node b"));
  EXPECT_TRUE(nodes[0]->application.logged_out_by("E311"));
  EXPECT_EQ(nodes[1]->application.logons.size(), 1U);
  EXPECT_EQ(keepers->connections(), 0U) << "if its node dies, the peer is to notice";
  run(base::ns_per_second);
  trade();
  EXPECT_TRUE(firm_application.logouts.empty()) << story();
}

TEST_F(EnginePassing, BackAndForthUnderLoad) {
  begin();
  std::size_t leader = 0;
  for (int round = 0; round < 20; ++round) {
    hand_over(leader, 1 - leader);
    const bool done = run_until([&] {
      if (send_order(firm->sessions().front(), std::to_string(orders + 1)).status ==
          host::SendStatus::Sent) {
        ++orders;
      }
      network.wake(firm_node);
      return leads(1 - leader) && !leads(leader);
    });
    ASSERT_TRUE(done) << round << "\n" << story();
    leader = 1 - leader;
    trade();
    await_both(leader);
  }
  EXPECT_TRUE(run_until([&] { return answers(std::to_string(orders)) == 1; }));
  expect_each_answered_once();
  EXPECT_GT(orders, 3 * 20);
  EXPECT_EQ(firm_application.logons.size(), 1U) << story();
  EXPECT_TRUE(firm_application.logouts.empty()) << story();
}

TEST_F(EnginePassing, AfterADeathThePeerNoticesAtOnce) {
  begin();
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return leads(1) && !leads(0); }));
  trade();
  await_both(1);
  ASSERT_TRUE(firm_application.logouts.empty()) << story();
  kill(1);
  EXPECT_TRUE(run_until([&] { return firm_application.logouts.size() == 1; }, 50 * base::ns_per_ms))
      << story();
  ASSERT_TRUE(run_until([&] { return leads(0) && trades(); })) << story();
  trade();
}

TEST_F(EnginePassing, WithoutAKeeperOfBothItIsCut) {
  begin();
  keepers->gone = true;
  trade();
  hand_over(0, 1);
  expect_cut(1);
  EXPECT_TRUE(leads(1));
  trade();
}

TEST_F(EnginePassing, AHandOverThatIsGivenUpLeavesItWhereItIs) {
  begin();
  trade();
  store.set_running(false);
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return nodes[0]->application.heard_code("R204"); })) << story();
  EXPECT_EQ(standing(0).role, replication::Role::Leading);
  trade();
  store.set_running(true);
  ASSERT_TRUE(run_until([&] { return keepers->connections() == 0; }));
  EXPECT_EQ(firm_application.logons.size(), 1U) << story();
  // The next one succeeds.
  await_both(0);
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return leads(1) && !leads(0); })) << story();
  trade();
  EXPECT_EQ(firm_application.logons.size(), 1U) << story();
}

TEST_F(EnginePassing, OneThatIsGivenUpWhileOutputWaitsLeavesItWhereItIs) {
  begin();
  trade();
  // The firm does not read, so that output waits in the node.
  network.conditions.window_bytes = 4'096;
  const std::int64_t begun_ns = network.steady_ns();
  network.stall(firm_node, 70 * base::ns_per_ms);
  const std::string text(1'000, 'x');
  for (int count = 0; count < 100; ++count) {
    ASSERT_FALSE(send_order(nodes[0]->engine->sessions().front(), "news", text).refused());
  }
  network.wake(nodes[0]->engine_node);
  run(5 * base::ns_per_ms);
  hand_over(0, 1);
  run(5 * base::ns_per_ms);
  // Without the other node it is given up, before the output has left.
  kill(1);
  ASSERT_TRUE(run_until([&] { return nodes[0]->application.heard_code("R204"); },
                        begun_ns + 68 * base::ns_per_ms - network.steady_ns()))
      << story();
  ASSERT_LT(answers("news"), 100);
  ASSERT_TRUE(run_until([&] { return answers("news") == 100; })) << story();
  run(100 * base::ns_per_ms);
  EXPECT_EQ(keepers->connections(), 0U);
  network.conditions = {};
  open(1);
  await_both(0);
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return leads(1) && !leads(0); })) << story();
  trade();
  EXPECT_EQ(firm_application.logons.size(), 1U) << story();
}

TEST_F(EnginePassing, ANodeThatDiesBeforeItTakesTheConnectionKeepsNobodyWaiting) {
  begin();
  trade();
  nodes[0]->application.when_event = [&](const host::Event& event) {
    if (event.code == base::MessageCode("E306")) {
      network.stall(nodes[1]->engine_node, base::ns_per_second);
      network.stall(nodes[1]->standby_node, base::ns_per_second);
    }
  };
  hand_over(0, 1);
  ASSERT_TRUE(run_until([&] { return standing(0).primary == "b"; })) << story();
  run(20 * base::ns_per_ms);
  ASSERT_FALSE(leads(1));
  kill(1);
  EXPECT_EQ(keepers->connections(), 1U);
  EXPECT_TRUE(
      run_until([&] { return firm_application.logouts.size() == 1; }, base::ns_per_second / 2))
      << story();
  EXPECT_TRUE(nodes[0]->application.heard_code("E312")) << story();
  EXPECT_EQ(keepers->connections(), 0U);
  ASSERT_TRUE(run_until([&] { return leads(0) && trades(); })) << story();
  trade();
}

}  // namespace
}  // namespace affix::support
