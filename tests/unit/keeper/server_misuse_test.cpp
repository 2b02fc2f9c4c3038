// SPDX-License-Identifier: MIT
// Misuse of a server by others: bytes that are no messages, descriptors that nobody wants,
// silence, crowds; and where its socket must not be.
#include "affix/base/time.hpp"

#include "unit/keeper/keeper_case.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <sys/uio.h>

namespace affix::keeper {
namespace {

using namespace cases;

class KeeperMisuse : public Case {
 protected:
  void expect_refused(const net::Socket& raw, RefusedFor why, std::uint32_t number = 0) {
    turn();
    const Packet packet = receive_packet(raw);
    EXPECT_EQ(packet.arrived, Arrived::Message);
    EXPECT_EQ(packet.message.kind, MessageKind::Refused);
    EXPECT_EQ(packet.message.detail, static_cast<std::uint8_t>(why));
    EXPECT_EQ(packet.message.number, number);
    EXPECT_EQ(receive_packet(raw).arrived, Arrived::Ended);
  }

  static void expect_no_server(const std::string& path, base::MessageCode code) {
    Reports nobodys;
    const auto opened = Server::open({.socket = path}, nobodys);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message_code, code);
  }
};

int send_descriptors(const net::Socket& socket, Message message, std::span<const int> numbers,
                     std::size_t bytes = sizeof(Message)) {
  iovec piece{&message, bytes};
  msghdr packet{};
  packet.msg_iov = &piece;
  packet.msg_iovlen = 1;
  std::vector<char> control(CMSG_SPACE(numbers.size_bytes()));
  packet.msg_control = control.data();
  packet.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&packet);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(numbers.size_bytes());
  std::memcpy(CMSG_DATA(header), numbers.data(), numbers.size_bytes());
  return ::sendmsg(socket.fd(), &packet, MSG_DONTWAIT) < 0 ? errno : 0;
}

TEST_F(KeeperMisuse, GarbageEndsTheConnection) {
  const Message hello = make_message(MessageKind::Hello, "venue");
  std::vector<std::string> packets = {"x", "GET / HTTP/1.1\r\n\r\n", std::string(100'000, 'x')};
  const std::string whole(reinterpret_cast<const char*>(&hello), sizeof hello);
  for (const std::size_t size : {1U, 4U, 7U, 12U, 215U}) {
    packets.push_back(whole.substr(0, size));
  }
  packets.push_back(whole + "x");
  for (const std::string& packet : packets) {
    const net::Socket raw = connect();
    ASSERT_EQ(::send(raw.fd(), packet.data(), packet.size(), 0),
              static_cast<ssize_t>(packet.size()));
    expect_refused(raw, RefusedFor::Garbage);
  }
  EXPECT_EQ(reports.number_of(ServerReport::Garbage), packets.size());
  // An empty packet looks like an end.
  const net::Socket raw = connect();
  ASSERT_EQ(::send(raw.fd(), "", 0, 0), 0);
  turn();
  EXPECT_EQ(receive_packet(raw).arrived, Arrived::Ended);
}

TEST_F(KeeperMisuse, MessagesOutOfTurnEndTheConnection) {
  for (const MessageKind kind :
       {MessageKind::Hold, MessageKind::Drop, MessageKind::Entry, MessageKind::NotHeld}) {
    const net::Socket raw = connect();
    say(raw, make_message(kind, "venue"));
    expect_refused(raw, RefusedFor::Garbage);
  }
  const net::Socket twice = connect_as_owner();
  say(twice, make_message(MessageKind::Hello, "venue"));
  expect_refused(twice, RefusedFor::Garbage);
}

TEST_F(KeeperMisuse, ADescriptorTooManyOrTooFewEndsTheConnection) {
  const Connection connection;
  const net::Socket without = connect_as_owner();
  say(without, make_message(MessageKind::Hold, "session"));
  expect_refused(without, RefusedFor::Garbage);
  const net::Socket with = connect_as_owner();
  say(with, make_message(MessageKind::Drop, "session"), connection.own.fd());
  expect_refused(with, RefusedFor::Garbage);
  const net::Socket early = connect();
  say(early, make_message(MessageKind::Hello, "venue"), connection.own.fd());
  expect_refused(early, RefusedFor::Garbage);
}

TEST_F(KeeperMisuse, AnotherVersionIsToldOurs) {
  const net::Socket raw = connect();
  Message message = make_message(MessageKind::Hello, "venue");
  message.version = protocol_version + 1;
  // It may be of another size.
  std::string packet(reinterpret_cast<const char*>(&message), sizeof message);
  packet.resize(500);
  ASSERT_EQ(::send(raw.fd(), packet.data(), packet.size(), 0), 500);
  expect_refused(raw, RefusedFor::Version, protocol_version);
  EXPECT_EQ(reports.number_of(ServerReport::RefusedVersion), 1U);
}

TEST_F(KeeperMisuse, NoDescriptorLeaks) {
  const Connection connection;
  turn();
  const std::size_t before = open_descriptors();
  for (const std::size_t count : {std::size_t{2}, std::size_t{3}, std::size_t{250}}) {
    const net::Socket raw = connect_as_owner();
    const std::vector<int> many(count, connection.own.fd());
    ASSERT_EQ(send_descriptors(raw, make_message(MessageKind::Hold, "session"), many), 0);
    expect_refused(raw, RefusedFor::Garbage);
    // With bytes that are no message.
    const net::Socket other = connect();
    Message message = make_message(MessageKind::Hello, "venue");
    message.magic = 0;
    ASSERT_EQ(send_descriptors(other, message, many), 0);
    expect_refused(other, RefusedFor::Garbage);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(KeeperMisuse, NoDescriptorOfAnEmptyPacketLeaks) {
  const Connection connection;
  turn();
  const std::size_t before = open_descriptors();
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
    const net::Socket raw = connect();
    const std::vector<int> many(count, connection.own.fd());
    ASSERT_EQ(send_descriptors(raw, Message{}, many, 0), 0);
    turn();
    EXPECT_EQ(receive_packet(raw).arrived, Arrived::Ended);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(KeeperMisuse, WhoSaysNothingLosesItsPlace) {
  const net::Socket raw = connect();
  turn();
  EXPECT_EQ(server->next_turn_ns(), now_ns + 5 * base::ns_per_second);
  EXPECT_EQ(receive_packet(raw).arrived, Arrived::Nothing);
  now_ns = server->next_turn_ns();
  turn();
  EXPECT_EQ(receive_packet(raw).arrived, Arrived::Ended);
}

TEST_F(KeeperMisuse, ACrowdIsRefused) {
  std::vector<net::Socket> crowd;
  for (std::size_t number = 0; number < server_connections_max; ++number) {
    crowd.push_back(connect());
    ASSERT_EQ(send_packet(crowd.back(), make_message(MessageKind::Hello, std::to_string(number))),
              0);
    turn();
    EXPECT_EQ(receive_packet(crowd.back()).message.kind, MessageKind::Granted);
  }
  auto late = open_keeper(options.socket, "venue");
  ASSERT_TRUE(late);
  turn();
  const auto taken = (*late)->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, base::ErrorCode::Limit);
  EXPECT_EQ(reports.number_of(ServerReport::Full), 1U);
  crowd.pop_back();
  turn();
  EXPECT_TRUE(open()->take());
}

TEST_F(KeeperMisuse, InstancesWithoutOwnersFillTheTableToo) {
  const Connection connection;
  for (std::size_t number = 0; number < options.entries; ++number) {
    const net::Socket raw = connect();
    const std::string name = std::to_string(number);
    ASSERT_EQ(send_packet(raw, make_message(MessageKind::Hello, name)), 0);
    ASSERT_EQ(send_packet(raw, make_message(MessageKind::Hold, name), connection.own.fd()), 0);
    turn();
  }
  turn();
  EXPECT_EQ(reports.number_of(ServerReport::OwnerEnded), options.entries);
  now_ns += options.keep_ns;
  turn();
  EXPECT_EQ(reports.number_of(ServerReport::Expired), options.entries);
}

TEST_F(KeeperMisuse, TheSocketIsTheUsersOwn) {
  struct stat status{};
  ASSERT_EQ(::stat(options.socket.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode, S_IFSOCK | 0600U);
  Reports other;
  const auto second = Server::open(options, other);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::AlreadyExists);
  EXPECT_EQ(second.error().message_code, base::MessageCode("K203"));
  // The first one is unharmed.
  EXPECT_TRUE(open()->take());
}

TEST_F(KeeperMisuse, AKeeperOfAnotherUserGetsNothing) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only the superuser can listen as another user";
  }
  const std::string path = directory.path("strange");
  const auto address = address_of(path);
  const net::Socket strange(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(strange.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
  constexpr uid_t nobody = 65'534;
  ASSERT_EQ(::seteuid(nobody), 0);
  const int listening = ::listen(strange.fd(), 1);
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(listening, 0);
  const auto opened = open_keeper(path, "venue");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, base::ErrorCode::Denied);
  EXPECT_EQ(opened.error().message_code, base::MessageCode("K104"));
  // Not a byte has been sent.
  const net::Socket accepted(::accept4(strange.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  EXPECT_EQ(receive_packet(accepted).arrived, Arrived::Ended);
}

TEST_F(KeeperMisuse, APlaceWhereOthersWriteIsRefused) {
  const std::string shared = directory.path("shared");
  ASSERT_EQ(::mkdir(shared.c_str(), 0700), 0);
  for (const mode_t mode : {mode_t{0770}, mode_t{0707}, mode_t{01777}}) {
    ASSERT_EQ(::chmod(shared.c_str(), mode), 0);
    expect_no_server(shared + "/keeper", "K202");
  }
}

TEST_F(KeeperMisuse, WhatIsNoPathIsRefused) {
  for (const std::string& path : {std::string(), std::string(200, 'x')}) {
    expect_no_server(path, "K101");
    EXPECT_FALSE(open_keeper(path, "venue"));
  }
  EXPECT_FALSE(open_keeper(options.socket, "a:b"));
  expect_no_server(directory.path("none/keeper"), "O101");
}

TEST_F(KeeperMisuse, ASocketOfAKilledServerIsReplacedAndNothingElse) {
  server.reset();
  EXPECT_NE(::access(options.socket.c_str(), F_OK), 0);
  {
    // A socket that nobody has locked.
    const net::Socket left(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const auto address = address_of(options.socket);
    ASSERT_EQ(::bind(left.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
  }
  const auto nobody = open_keeper(options.socket, "venue");
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, base::ErrorCode::NotFound);
  start();
  EXPECT_TRUE(open()->take());
  server.reset();
  const int file = ::open(options.socket.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  ::close(file);
  Reports other;
  const auto opened = Server::open(options, other);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message_code, base::MessageCode("K203"));
  EXPECT_EQ(::access(options.socket.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace affix::keeper
