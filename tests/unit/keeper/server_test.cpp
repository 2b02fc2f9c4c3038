// SPDX-License-Identifier: MIT
// Owners and their server: what is held, for whom, and for how long.
#include "affix/keeper/server.hpp"

#include "affix/base/time.hpp"

#include "unit/keeper/keeper_case.hpp"

#include <algorithm>

namespace affix::keeper {
namespace {

using namespace cases;

class KeeperServer : public Case {};

class KeeperServerWithManyEntries : public Case {
 protected:
  KeeperServerWithManyEntries() : Case(400) {}

  struct Taken {
    MessageKind last = MessageKind::Hello;
    std::size_t sockets = 0;
    std::size_t pieces = 0;  ///< Turns of the server.
  };

  /// Takes so many messages, and dies.
  Taken take(std::size_t messages) {
    const net::Socket raw = connect();
    say(raw, make_message(MessageKind::Hello, "venue"));
    Taken taken;
    while (messages > 0 && taken.pieces < 1'000) {
      const Packet packet = receive_packet(raw);
      if (packet.arrived == Arrived::Nothing) {
        turn();
        ++taken.pieces;
      } else {
        --messages;
        taken.last = packet.message.kind;
        taken.sockets += packet.socket.is_open() ? 1U : 0U;
      }
    }
    EXPECT_EQ(messages, 0U);
    return taken;
  }
};

TEST_F(KeeperServer, TheNextOwnerContinuesInTheMiddleOfAStream) {
  Connection connection;
  auto first = open_first();
  EXPECT_EQ(first->hold("listener", connection.listener.fd()), Held::Yes);
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  ASSERT_EQ(::send(connection.peer.fd(), "half", 4, 0), 4);
  // As at its death: nothing has been read by the server yet.
  first.reset();
  connection.own.close();
  connection.listener.close();
  turn();
  auto second = open();
  auto taken = second->take();
  ASSERT_TRUE(taken) << taken.error().text();
  ASSERT_EQ(taken->size(), 2U);
  std::ranges::sort(*taken, {}, &Kept::name);
  EXPECT_EQ((*taken)[0].name, "listener");
  EXPECT_EQ((*taken)[1].name, "session");
  std::array<char, 8> bytes;
  EXPECT_EQ(::recv((*taken)[1].socket.fd(), bytes.data(), bytes.size(), 0), 4);
  EXPECT_TRUE(are_connected((*taken)[1].socket, connection.peer));
  const net::Socket other = connect_to_listener((*taken)[0].socket);
  const net::Socket accepted(::accept((*taken)[0].socket.fd(), nullptr, nullptr));
  EXPECT_TRUE(are_connected(other, accepted));
  // The server has its own still.
  taken->clear();
  second.reset();
  turn();
  EXPECT_EQ(open()->take()->size(), 2U);
}

TEST_F(KeeperServer, ANameIsReplacedAndDropped) {
  auto first = open_first();
  Connection connection;
  Connection other;
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  EXPECT_EQ(first->hold("session", other.own.fd()), Held::Yes);
  connection.own.close();
  turn();
  EXPECT_TRUE(has_ended(connection.peer));
  other.own.close();
  EXPECT_TRUE(is_quiet(other.peer));
  EXPECT_EQ(first->drop("unknown"), Held::Yes);
  EXPECT_EQ(first->drop("session"), Held::Yes);
  turn();
  EXPECT_TRUE(has_ended(other.peer));
  first.reset();
  turn();
  EXPECT_TRUE(open()->take()->empty());
}

TEST_F(KeeperServer, InstancesAreApart) {
  auto first = open_first();
  auto other = open(WhenOwned::Refuse, "other");
  ASSERT_TRUE(other->take());
  Connection connection;
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  EXPECT_EQ(other->hold("session", connection.listener.fd()), Held::Yes);
  EXPECT_EQ(other->drop("session"), Held::Yes);
  turn();
  connection.own.close();
  EXPECT_TRUE(is_quiet(connection.peer));
}

TEST_F(KeeperServer, AnInstanceHasOneOwner) {
  const auto first = open_first();
  const auto second = open();
  const auto taken = second->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, base::ErrorCode::Locked);
  EXPECT_EQ(taken.error().message,
            "instance venue is in use by process " + std::to_string(::getpid()));
  EXPECT_TRUE(second->lost());
  EXPECT_FALSE(first->lost());
  EXPECT_EQ(reports.number_of(ServerReport::RefusedInUse), 1U);
}

TEST_F(KeeperServer, AnOwnerThatDiedAMomentAgoIsNone) {
  auto first = open_first();
  const Connection connection;
  const net::Socket early = connect();
  turn();
  // All three are there when the server looks, and it sees the new one first.
  say(early, make_message(MessageKind::Hello, "venue"));
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  first.reset();
  turn();
  EXPECT_EQ(hear(early), MessageKind::Granted);
  EXPECT_EQ(hear(early), MessageKind::Entry);
  EXPECT_EQ(hear(early), MessageKind::End);
}

TEST_F(KeeperServer, AnOwnerThatDiedAMomentAgoWithNothingIsNone) {
  auto first = open_first();
  const net::Socket early = connect();
  turn();
  say(early, make_message(MessageKind::Hello, "venue"));
  first.reset();
  turn();
  EXPECT_EQ(hear(early), MessageKind::Granted);
  EXPECT_EQ(hear(early), MessageKind::End);
  // It is the owner of the instance that has this name, and of no other.
  EXPECT_TRUE(open(WhenOwned::Refuse, "other")->take());
  EXPECT_FALSE(open()->take());
}

TEST_F(KeeperServer, WithoutAnOwnerConnectionsEndInTime) {
  auto first = open_first();
  Connection connection;
  EXPECT_EQ(first->hold("listener", connection.listener.fd()), Held::Yes);
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  EXPECT_EQ(server->next_turn_ns(), std::numeric_limits<std::int64_t>::max());
  first.reset();
  turn();
  EXPECT_EQ(server->next_turn_ns(), now_ns + options.keep_ns);
  now_ns += options.keep_ns - 1;
  turn();
  EXPECT_TRUE(is_quiet(connection.peer));
  // One comes at the last moment.
  auto second = open();
  now_ns += 1;
  turn();
  EXPECT_TRUE(is_quiet(connection.peer));
  second.reset();
  turn();
  now_ns += options.keep_ns;
  turn();
  // Although this process has a duplicate of it; the listener lives.
  EXPECT_TRUE(has_ended(connection.peer));
  const net::Socket other = connect_to_listener(connection.listener);
  EXPECT_EQ(reports.seen.back().what, ServerReport::Expired);
  EXPECT_EQ(reports.seen.back().count, 2U);
  EXPECT_TRUE(open()->take()->empty());
}

TEST_F(KeeperServer, AFullTableNamesWhatIsNotHeld) {
  const auto first = open_first();
  const Connection connection;
  hold(*first, connection.own.fd(), options.entries + 2);
  EXPECT_EQ(first->next_refused(), std::nullopt);
  // A name that is there has a place.
  EXPECT_EQ(first->hold("session 3", connection.own.fd()), Held::Yes);
  turn();
  EXPECT_EQ(first->next_refused(), "session 16");
  EXPECT_EQ(first->next_refused(), "session 17");
  EXPECT_EQ(first->next_refused(), std::nullopt);
  EXPECT_EQ(reports.number_of(ServerReport::Full), 2U);
  EXPECT_FALSE(first->lost());
}

TEST_F(KeeperServer, ADroppedEntryLeavesItsPlace) {
  const auto first = open_first();
  const Connection connection;
  hold(*first, connection.own.fd(), options.entries);
  EXPECT_EQ(first->drop("session 3"), Held::Yes);
  EXPECT_EQ(first->hold("another", connection.own.fd()), Held::Yes);
  turn();
  EXPECT_EQ(first->next_refused(), std::nullopt);
}

TEST_F(KeeperServer, OnlyNamesAreHeld) {
  const auto first = open_first();
  const Connection connection;
  for (const std::string& name :
       {std::string(), std::string("a:b"), std::string("a\n"), std::string("\x7f"),
        std::string("\xc3\xa4"), std::string(name_bytes_max + 1, 'x')}) {
    EXPECT_EQ(first->hold(name, connection.own.fd()), Held::Invalid) << name;
    EXPECT_EQ(first->drop(name), Held::Invalid) << name;
  }
  EXPECT_EQ(first->hold(std::string(name_bytes_max, 'x'), connection.own.fd()), Held::Yes);
}

TEST_F(KeeperServer, OnlyTcpSocketsAreHeld) {
  const auto first = open_first();
  for (const int descriptor : {-1, 0, server->descriptor(), 1'000'000}) {
    EXPECT_EQ(first->hold("session", descriptor), Held::Invalid) << descriptor;
  }
  // The server does not rely on that: its own connection, held, would never end.
  const net::Socket raw = connect_as_owner("raw");
  say(raw, make_message(MessageKind::Hold, "itself"), raw.fd());
  turn();
  const Packet answer = receive_packet(raw);
  EXPECT_EQ(answer.message.kind, MessageKind::NotHeld);
  EXPECT_EQ(answer.message.name(), "itself");
}

TEST_F(KeeperServer, AServerThatDoesNotReadDelaysNobody) {
  auto first = open_first();
  const Connection connection;
  int given = 0;
  Held held = Held::Yes;
  while (held == Held::Yes && given < 100'000) {
    held = first->hold("session", connection.own.fd());
    given += held == Held::Yes ? 1 : 0;
  }
  EXPECT_EQ(held, Held::Busy);
  EXPECT_GT(given, 50);
  EXPECT_FALSE(first->lost());
  turn();
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
}

TEST_F(KeeperServer, AKeeperThatStartsAgainIsGivenEverythingAnew) {
  auto first = open_first();
  const Connection connection;
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  turn();
  server.reset();
  EXPECT_TRUE(is_quiet(connection.peer));
  EXPECT_TRUE(first->lost());
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Lost);
  EXPECT_EQ(first->drop("session"), Held::Lost);
  EXPECT_EQ(first->next_refused(), std::nullopt);
  EXPECT_EQ(first->try_again(), Again::NotYet);
  start();
  EXPECT_EQ(first->try_again(), Again::NotYet);
  turn();
  EXPECT_EQ(first->try_again(), Again::Owner);
  EXPECT_FALSE(first->lost());
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  first.reset();
  turn();
  EXPECT_EQ(open()->take()->size(), 1U);
}

TEST_F(KeeperServer, AnotherOwnerInTheMeantimeIsReported) {
  const auto first = open_first();
  server.reset();
  start();
  EXPECT_TRUE(first->lost());
  auto second = open_first();
  EXPECT_EQ(first->try_again(), Again::NotYet);
  turn();
  EXPECT_EQ(first->try_again(), Again::Taken);
  second.reset();
  turn();
  EXPECT_EQ(first->try_again(), Again::NotYet);
  turn();
  EXPECT_EQ(first->try_again(), Again::Owner);
}

TEST_F(KeeperServer, OfWhomHoldsAnewNothingOldStays) {
  auto first = open_first();
  Connection connection;
  EXPECT_EQ(first->hold("session", connection.own.fd()), Held::Yes);
  first.reset();
  connection.own.close();
  turn();
  const net::Socket anew = connect();
  ASSERT_EQ(send_packet(anew, make_message(MessageKind::Hello, "venue", hello_anew)), 0);
  turn();
  const Packet granted = receive_packet(anew);
  EXPECT_EQ(granted.message.kind, MessageKind::Granted);
  EXPECT_EQ(granted.message.number, 0U);
  EXPECT_TRUE(has_ended(connection.peer));
}

TEST_F(KeeperServer, ALossBeforeAnythingWasTakenIsAnError) {
  const auto first = open();
  auto waiting = open(WhenOwned::Wait);
  server.reset();
  const auto taken = waiting->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, base::ErrorCode::Io);
  EXPECT_EQ(taken.error().message_code, base::MessageCode("K108"));
  EXPECT_FALSE(waiting->take());
}

TEST_F(KeeperServerWithManyEntries, AreTakenInPieces) {
  auto first = open_first();
  const Connection connection;
  for (std::size_t number = 0; number < options.entries; ++number) {
    ASSERT_EQ(first->hold("session " + std::to_string(number), connection.own.fd()), Held::Yes);
    turn();
  }
  first.reset();
  turn();
  // Two die while they take; the last one gets everything.
  take(1);
  take(300);
  const Taken taken = take(options.entries + 2);
  EXPECT_EQ(taken.last, MessageKind::End);
  EXPECT_EQ(taken.sockets, options.entries);
  EXPECT_GT(taken.pieces, 1U);
}

}  // namespace
}  // namespace affix::keeper
