// SPDX-License-Identifier: MIT
// The election store in a real etcd of three members on this machine, and what it does when they
// die, stop, or lose an answer.
#include "affix/service/etcd_election_store.hpp"

#include "support/cutting_relay.hpp"
#include "support/election_asker.hpp"
#include "support/etcd_cluster.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace affix {
namespace {

using replication::Answer;
using replication::ElectionStore;
using replication::Outcome;
using service::EtcdOptions;
using support::CuttingRelay;
using support::election_entry;
using support::ElectionAsker;
using support::EtcdCluster;
using support::HeldPort;

std::unique_ptr<ElectionStore> open_store(EtcdOptions options) {
  options.cluster = "test";
  auto store = service::open_etcd_election_store(options);
  EXPECT_TRUE(store.has_value()) << store.error().text();
  return std::move(*store);
}

/// Reads until etcd answers.
Answer read_at_last(ElectionAsker& asker) {
  for (int round = 0; round < 1000; ++round) {
    Answer answer = asker.read();
    if (answer.outcome == Outcome::Done) {
      return answer;
    }
    EXPECT_EQ(answer.outcome, Outcome::Unreachable);
    EXPECT_NE(answer.error.message, "");
    support::rest_a_moment();
  }
  ADD_FAILURE() << "etcd does not answer";
  return {};
}

/// Writes the next epoch until it is there, as a member does.
Answer write_at_last(ElectionAsker& asker) {
  Answer present = read_at_last(asker);
  const std::uint64_t epoch = present.entry.epoch + 1;
  for (int round = 0; round < 1000; ++round) {
    const Answer written = asker.write(election_entry(epoch), present.revision);
    if (written.outcome == Outcome::Done) {
      return written;
    }
    support::rest_a_moment();
    present = read_at_last(asker);
    if (present.entry.epoch == epoch) {
      return present;
    }
  }
  ADD_FAILURE() << "etcd does not write";
  return {};
}

TEST(ElectionEtcd, ComparesSetsAndWatches) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto mine = open_store({.endpoints = etcd.endpoints()});
  const auto theirs = open_store({.endpoints = {etcd.endpoint(2)}});
  ElectionAsker a(*mine);
  ElectionAsker b(*theirs);
  EXPECT_EQ(read_at_last(a).revision, 0U);
  static_cast<void>(read_at_last(b));
  theirs->watch("g");
  EXPECT_EQ(b.change().revision, 0U);

  const Answer first = a.write(election_entry(1), 0);
  ASSERT_EQ(first.outcome, Outcome::Done) << first.error.text();
  const Answer seen = b.change();
  EXPECT_EQ(seen.entry, election_entry(1));
  EXPECT_EQ(seen.revision, first.revision);

  const Answer refused = b.write(election_entry(2), 0);
  EXPECT_EQ(refused.outcome, Outcome::Conflict);
  EXPECT_EQ(refused.entry, election_entry(1));
  EXPECT_EQ(refused.revision, first.revision);
  const Answer second = b.write(election_entry(2), first.revision);
  ASSERT_EQ(second.outcome, Outcome::Done) << second.error.text();
  EXPECT_GT(second.revision, first.revision);
  EXPECT_EQ(a.read().entry, election_entry(2));
  EXPECT_EQ(b.change().revision, second.revision);

  // Another group, and another cluster, have entries of their own.
  EXPECT_EQ(a.ask({.group = "g2", .kind = replication::RequestKind::Read, .entry = {}}).revision,
            0U);
  // As an operator sees it: the key is "/affix/test/g".
  const std::string raw =
      support::http_post(etcd.port(0), "/v3/kv/range", R"({"key":"L2FmZml4L3Rlc3QvZw=="})");
  EXPECT_NE(raw.find("\"mod_revision\":\"" + std::to_string(second.revision) + "\""),
            std::string::npos)
      << raw;

  // A value of somebody else's.
  static_cast<void>(support::http_post(etcd.port(0), "/v3/kv/put",
                                       R"({"key":"L2FmZml4L3Rlc3QvZw==","value":"eA=="})"));
  const Answer damaged = a.read();
  EXPECT_EQ(damaged.outcome, Outcome::Damaged);
  EXPECT_EQ(damaged.error.where, "key /affix/test/g");
}

TEST(ElectionEtcd, OfManyWritersOneWins) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  constexpr int rounds = 20;
  std::atomic<int> done{0};
  std::vector<std::thread> writers;
  for (std::size_t at = 0; at < etcd.size(); ++at) {
    writers.emplace_back([&, at] {
      const auto store = open_store({.endpoints = {etcd.endpoint(at)}});
      ElectionAsker asker(*store);
      Answer present = read_at_last(asker);
      for (int round = 0; round < rounds; ++round) {
        present = asker.write(election_entry(present.entry.epoch + 1), present.revision);
        if (present.outcome == Outcome::Done) {
          ++done;
        } else if (present.outcome != Outcome::Conflict) {
          present = read_at_last(asker);
        }
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  const auto store = open_store({.endpoints = etcd.endpoints()});
  ElectionAsker asker(*store);
  EXPECT_GE(asker.read().entry.epoch, static_cast<std::uint64_t>(done.load()));
  EXPECT_GE(done.load(), rounds);
}

TEST(ElectionEtcd, GoesOnWhenTheLeaderIsKilled) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto store = open_store({.endpoints = etcd.endpoints()});
  ElectionAsker asker(*store);
  const Answer before = write_at_last(asker);
  const std::size_t leader = etcd.leader();
  etcd.kill(leader);
  const Answer after = write_at_last(asker);
  EXPECT_EQ(after.entry.epoch, before.entry.epoch + 1);
  EXPECT_GT(after.revision, before.revision);
  EXPECT_NE(etcd.leader(), leader);
}

TEST(ElectionEtcd, LeavesAMemberThatHasStopped) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto store =
      open_store({.endpoints = etcd.endpoints(), .answer_ns = 300 * base::ns_per_ms});
  ElectionAsker asker(*store);
  const Answer before = write_at_last(asker);
  const std::size_t leader = etcd.leader();
  etcd.signal(leader, SIGSTOP);
  EXPECT_EQ(write_at_last(asker).entry.epoch, before.entry.epoch + 1);
  etcd.signal(leader, SIGCONT);
}

// A machine that is gone answers nothing, and a write that was sent there is in doubt. The watch
// has found that out before.
TEST(ElectionEtcd, TheWatchLeavesASilentMemberBeforeAWriteDoes) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto other = open_store({.endpoints = {etcd.endpoint(1), etcd.endpoint(2)}});
  ElectionAsker other_asker(*other);
  static_cast<void>(write_at_last(other_asker));
  for (std::size_t at = 0; at < etcd.size(); ++at) {
    const auto one = open_store({.endpoints = {etcd.endpoint(at)}});
    ElectionAsker asker(*one);
    static_cast<void>(read_at_last(asker));
  }
  // All of them answer, so this one stays with the first.
  const auto store = open_store({.endpoints = etcd.endpoints(), .answer_ns = base::ns_per_second});
  ElectionAsker asker(*store);
  static_cast<void>(read_at_last(asker));
  etcd.signal(0, SIGSTOP);
  const Answer changed = write_at_last(other_asker);
  store->watch("g");
  EXPECT_EQ(asker.change().revision, changed.revision);
  EXPECT_EQ(asker.write(election_entry(99), changed.revision).outcome, Outcome::Done);
  etcd.signal(0, SIGCONT);
}

TEST(ElectionEtcd, FindsEverythingAgainAfterAllWereDown) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto store = open_store({.endpoints = etcd.endpoints()});
  ElectionAsker asker(*store);
  store->watch("g");
  const Answer before = write_at_last(asker);
  for (std::size_t at = 0; at < etcd.size(); ++at) {
    etcd.kill(at);
  }
  const Answer down = asker.read();
  EXPECT_EQ(down.outcome, Outcome::Unreachable);
  // Which endpoints, and why.
  for (const std::string& endpoint : etcd.endpoints()) {
    EXPECT_NE(down.error.message.find(endpoint + ": "), std::string::npos) << down.error.text();
  }
  EXPECT_EQ(asker.write(election_entry(9), before.revision).outcome, Outcome::Unreachable);
  for (std::size_t at = 0; at < etcd.size(); ++at) {
    etcd.start(at);
  }
  const Answer after = read_at_last(asker);
  EXPECT_EQ(after.entry, before.entry);
  EXPECT_EQ(after.revision, before.revision);
  EXPECT_EQ(asker.write(election_entry(9), before.revision).outcome, Outcome::Done);
}

TEST(ElectionEtcd, WithoutAMajorityNothingIsReadOrWritten) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(3);
  const auto store =
      open_store({.endpoints = etcd.endpoints(), .answer_ns = 300 * base::ns_per_ms});
  ElectionAsker asker(*store);
  const Answer before = write_at_last(asker);
  etcd.kill(0);
  etcd.kill(1);
  EXPECT_NE(asker.write(election_entry(9), before.revision).outcome, Outcome::Done);
  EXPECT_EQ(asker.read().outcome, Outcome::Unreachable);
}

TEST(ElectionEtcd, ADeadEndpointIsNoObstacle) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(1);
  const HeldPort dead;
  const auto store = open_store(
      {.endpoints = {"http://127.0.0.1:" + std::to_string(dead.number()), etcd.endpoint(0)}});
  ElectionAsker asker(*store);
  static_cast<void>(read_at_last(asker));
  EXPECT_EQ(asker.write(election_entry(1), 0).outcome, Outcome::Done);
}

TEST(ElectionEtcd, ALostAnswerIsUnknown) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(1);
  CuttingRelay relay(etcd.port(0));
  {
    const auto store = open_store({.endpoints = etcd.endpoints()});
    ElectionAsker asker(*store);
    static_cast<void>(read_at_last(asker));
  }
  // The second endpoint would answer: but a write that was sent is not sent again.
  const auto store = open_store({.endpoints = {relay.endpoint(), etcd.endpoint(0)}});
  ElectionAsker asker(*store);
  relay.cuts = CuttingRelay::Cuts::Answers;
  const Answer lost = asker.write(election_entry(1), 0);
  EXPECT_EQ(lost.outcome, Outcome::Unknown);
  EXPECT_EQ(lost.error.where, relay.endpoint());
  EXPECT_EQ(asker.read().entry, election_entry(1));
}

TEST(ElectionEtcd, ALostRequestIsUnknownToo) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(1);
  CuttingRelay relay(etcd.port(0));
  const auto store = open_store({.endpoints = {relay.endpoint()}});
  ElectionAsker asker(*store);
  static_cast<void>(read_at_last(asker));
  relay.cuts = CuttingRelay::Cuts::Requests;
  EXPECT_EQ(asker.write(election_entry(1), 0).outcome, Outcome::Unknown);
  EXPECT_EQ(asker.read().revision, 0U);
}

TEST(ElectionEtcd, EndsWhileARequestIsWaiting) {
  AFFIX_NEEDS_ETCD();
  // Accepts connections, since the kernel does, and never answers.
  EtcdCluster etcd(1);
  const auto store =
      open_store({.endpoints = {etcd.endpoint(0)}, .answer_ns = 100 * base::ns_per_second});
  ElectionAsker asker(*store);
  static_cast<void>(read_at_last(asker));
  etcd.signal(0, SIGSTOP);
  store->watch("g");
  store->ask({.group = "g", .kind = replication::RequestKind::Read, .entry = {}});
}

TEST(ElectionEtcd, ShowsItsUser) {
  AFFIX_NEEDS_ETCD();
  EtcdCluster etcd(1);
  {
    const auto store = open_store({.endpoints = etcd.endpoints()});
    ElectionAsker asker(*store);
    static_cast<void>(read_at_last(asker));
  }
  const std::uint16_t port = etcd.port(0);
  for (const auto& [path, body] : std::initializer_list<std::pair<const char*, const char*>>{
           {"/v3/auth/user/add", R"({"name":"root","password":"secret"})"},
           {"/v3/auth/role/add", R"({"name":"root"})"},
           {"/v3/auth/user/grant", R"({"user":"root","role":"root"})"},
           {"/v3/auth/enable", "{}"},
       }) {
    const std::string answer = support::http_post(port, path, body);
    EXPECT_EQ(answer.find("HTTP/1.1 200"), 0U) << path << answer;
  }
  const auto nobody = open_store({.endpoints = etcd.endpoints()});
  ElectionAsker without(*nobody);
  EXPECT_EQ(without.read().outcome, Outcome::Unreachable);
  EXPECT_EQ(without.write(election_entry(1), 0).outcome, Outcome::Unreachable);

  const auto wrong =
      open_store({.endpoints = etcd.endpoints(), .user = "root", .password = "wrong"});
  ElectionAsker with_wrong(*wrong);
  const Answer refused = with_wrong.read();
  EXPECT_EQ(refused.outcome, Outcome::Unreachable);
  EXPECT_NE(refused.error.message.find("authentication failed"), std::string::npos)
      << refused.error.text();

  const auto right =
      open_store({.endpoints = etcd.endpoints(), .user = "root", .password = "secret"});
  ElectionAsker with_right(*right);
  const Answer first = with_right.write(election_entry(1), 0);
  EXPECT_EQ(first.outcome, Outcome::Done) << first.error.text();
  // etcd forgets its tokens when it ends.
  etcd.kill(0);
  etcd.start(0);
  EXPECT_EQ(read_at_last(with_right).entry, election_entry(1));
  EXPECT_EQ(with_right.write(election_entry(2), first.revision).outcome, Outcome::Done);
}

}  // namespace
}  // namespace affix
