// SPDX-License-Identifier: MIT
// The line behind an owner: who is next, and what becomes of those that hang in it.
#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "unit/keeper/keeper_case.hpp"

#include <atomic>
#include <thread>

namespace affix::keeper {
namespace {

using namespace cases;

class KeeperLine : public Case {
 protected:
  KeeperLine() {
    first = open_first();
    EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
    turn();
  }

  /// While the server runs: it is asked, and answers.
  [[nodiscard]] std::expected<std::vector<Kept>, base::Error> take(Keeper& keeper) {
    std::atomic<bool> done{false};
    std::thread turns([this, &done] {
      while (!done.load(std::memory_order_acquire)) {
        pollfd asked{.fd = server->descriptor(), .events = POLLIN, .revents = 0};
        ::poll(&asked, 1, 1);
        turn();
      }
    });
    auto taken = keeper.take();
    done.store(true, std::memory_order_release);
    turns.join();
    return taken;
  }

  /// A process in line that says what the test wants.
  [[nodiscard]] net::Socket wait_in_line(std::uint8_t flags) {
    net::Socket raw = connect();
    say(raw, make_message(MessageKind::Hello, "venue", flags));
    turn();
    EXPECT_EQ(hear(raw), MessageKind::Waiting);
    return raw;
  }

  void end_first() {
    first.reset();
    turn();
  }

  void let_answers_be_late() {
    now_ns = server->next_turn_ns();
    turn();
  }

  Connection connection;
  std::unique_ptr<Keeper> first;
};

constexpr std::uint8_t answering = hello_waits | hello_answers;

TEST_F(KeeperLine, SuccessorsWaitInLine) {
  auto second = open(WhenOwned::Wait);
  auto third = open(WhenOwned::Wait);
  const auto fourth = open(WhenOwned::Wait);
  EXPECT_FALSE(second->lost());
  // Not before it is the owner.
  EXPECT_EQ(second->hold("session", connection.own.fd()), Held::Invalid);
  EXPECT_EQ(second->try_again(), Again::NotYet);
  third.reset();
  turn();
  end_first();
  const auto taken = take(*second);
  ASSERT_TRUE(taken) << taken.error().text();
  EXPECT_EQ(taken->size(), 1U);
  second.reset();
  turn();
  EXPECT_EQ(take(*fourth)->size(), 1U);
}

TEST_F(KeeperLine, OneThatTakesOverIsBeforeThoseThatStandBy) {
  const auto stands_by = open(WhenOwned::Wait);
  auto takes_over = open(WhenOwned::WaitFirst);
  const auto later = open(WhenOwned::WaitFirst);
  end_first();
  EXPECT_EQ(take(*takes_over)->size(), 1U);
  takes_over.reset();
  turn();
  EXPECT_EQ(take(*later)->size(), 1U);
  EXPECT_FALSE(stands_by->lost());
}

TEST_F(KeeperLine, OneThatHangsIsGivenNothingAndLosesItsTurn) {
  const net::Socket hangs = wait_in_line(answering);
  const auto second = open(WhenOwned::Wait);
  end_first();
  EXPECT_EQ(hear(hangs), MessageKind::Offered);
  EXPECT_TRUE(is_quiet(hangs));
  let_answers_be_late();
  const Packet refused = receive_packet(hangs);
  EXPECT_EQ(refused.message.kind, MessageKind::Refused);
  EXPECT_EQ(refused.message.detail, static_cast<std::uint8_t>(RefusedFor::Late));
  EXPECT_EQ(receive_packet(hangs).arrived, Arrived::Ended);
  EXPECT_EQ(reports.number_of(ServerReport::Late), 1U);
  const auto taken = take(*second);
  ASSERT_TRUE(taken) << taken.error().text();
  EXPECT_EQ(taken->size(), 1U);
}

TEST_F(KeeperLine, OneThatWasLateLearnsIt) {
  const auto late = open(WhenOwned::Wait);
  end_first();
  let_answers_be_late();
  const auto taken = late->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message_code, base::MessageCode("K109"));
}

TEST_F(KeeperLine, OneThatEndsWhenItIsItsTurnIsFollowedByTheNext) {
  net::Socket ends = wait_in_line(answering);
  const auto second = open(WhenOwned::Wait);
  end_first();
  ends.close();
  turn();
  EXPECT_EQ(take(*second)->size(), 1U);
}

TEST_F(KeeperLine, IfAllHangTheConnectionsEndInTime) {
  const net::Socket hangs = wait_in_line(answering);
  const net::Socket hangs_too = wait_in_line(answering);
  connection.own.close();
  end_first();
  let_answers_be_late();
  let_answers_be_late();
  EXPECT_TRUE(is_quiet(connection.peer));
  EXPECT_EQ(server->next_turn_ns(), now_ns + options.keep_ns);
  now_ns += options.keep_ns;
  turn();
  EXPECT_TRUE(has_ended(connection.peer));
}

TEST_F(KeeperLine, WhileOneIsAskedThereIsNoPlaceForAnother) {
  const net::Socket asked = wait_in_line(answering);
  end_first();
  EXPECT_EQ(open()->take().error().code, base::ErrorCode::Locked);
  say(asked, make_message(MessageKind::Here));
  turn();
  EXPECT_EQ(hear(asked), MessageKind::Offered);
  EXPECT_EQ(hear(asked), MessageKind::Granted);
  EXPECT_EQ(hear(asked), MessageKind::Entry);
  EXPECT_EQ(hear(asked), MessageKind::End);
  now_ns += 60 * base::ns_per_second;
  turn();
  EXPECT_TRUE(is_quiet(asked)) << "it is the owner for as long as it lives";
}

TEST_F(KeeperLine, OneOfAnEarlierVersionIsNotAsked) {
  const net::Socket early = wait_in_line(hello_waits);
  end_first();
  EXPECT_EQ(hear(early), MessageKind::Granted);
}

TEST_F(KeeperLine, WhoeverIsNotAskedMustNotAnswer) {
  const net::Socket eager = wait_in_line(answering);
  say(eager, make_message(MessageKind::Here));
  turn();
  EXPECT_EQ(hear(eager), MessageKind::Refused);
  // Nor may one that is asked do what an owner may.
  const net::Socket asked = wait_in_line(answering);
  end_first();
  EXPECT_EQ(hear(asked), MessageKind::Offered);
  say(asked, make_message(MessageKind::Drop, "session"));
  turn();
  EXPECT_EQ(hear(asked), MessageKind::Refused);
  EXPECT_EQ(open()->take()->size(), 1U);
}

TEST_F(KeeperLine, TheNextOwnerIsToldWhenTheLastOneEnded) {
  EXPECT_EQ(first->owner_ended_ns(), 0);
  end_first();
  now_ns += 7 * base::ns_per_ms;
  turn();
  const net::Socket raw = connect();
  say(raw, make_message(MessageKind::Hello, "venue"));
  turn();
  Packet packet = receive_packet(raw);
  while (packet.message.kind != MessageKind::End) {
    ASSERT_EQ(packet.arrived, Arrived::Message);
    packet = receive_packet(raw);
  }
  EXPECT_EQ(packet.message.number, 7'000U);
}

TEST_F(KeeperLine, ItsTimeIsOfTheSteadyClock) {
  now_ns = os::read_clock_ns(CLOCK_MONOTONIC);
  const std::int64_t before_ns = now_ns;
  end_first();
  now_ns += base::ns_per_us;
  const auto second = open();
  ASSERT_TRUE(second->take());
  // The time that the answer took is not counted.
  EXPECT_GE(second->owner_ended_ns(), before_ns - base::ns_per_us);
  EXPECT_LE(second->owner_ended_ns(), os::read_clock_ns(CLOCK_MONOTONIC));
}

}  // namespace
}  // namespace affix::keeper
