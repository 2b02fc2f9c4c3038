// SPDX-License-Identifier: MIT
// Ownership of descriptors, and that every requested option is set, also on accepted sockets.
#include "affix/net/socket.hpp"

#include "unit/net/loopback.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

int option_of(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(fd, level, name, &value, &size), 0);
  return value;
}

bool is_descriptor(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

Socket make_socket() {
  return open_socket(loopback::any_loopback()).value();
}

TEST(Socket, ClosesItsDescriptorOnce) {
  int fd = -1;
  {
    const Socket socket = make_socket();
    fd = socket.fd();
    EXPECT_TRUE(is_descriptor(fd));
  }
  EXPECT_FALSE(is_descriptor(fd));
}

TEST(Socket, MovesOwnership) {
  Socket first = make_socket();
  const int fd = first.fd();
  Socket second(std::move(first));
  EXPECT_FALSE(
      first.is_open());  // NOLINT(bugprone-use-after-move): the state after moving is the subject.
  Socket third = make_socket();
  const int overwritten = third.fd();
  third = std::move(second);
  EXPECT_EQ(third.fd(), fd);
  EXPECT_FALSE(is_descriptor(overwritten));
  const int released = third.release();
  EXPECT_FALSE(third.is_open());
  EXPECT_TRUE(is_descriptor(released));
  Socket(released).close();
}

TEST(Socket, IsNonBlockingAndNotInherited) {
  const Socket socket = make_socket();
  EXPECT_NE(::fcntl(socket.fd(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(socket.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(Socket, HasNoAddressesUntilItIsConnected) {
  EXPECT_FALSE(Socket().local_address());
  EXPECT_FALSE(make_socket().peer_address());
}

TEST(SocketOptions, AreSetOnASocket) {
  const Socket socket = make_socket();
  SocketOptions options;
  options.quick_ack = true;
  options.receive_buffer_bytes = 65536;
  options.send_buffer_bytes = 32768;
  options.bind_interface = "lo";
  const auto applied = apply(options, socket);
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(option_of(socket.fd(), IPPROTO_TCP, TCP_NODELAY), 1);
  // The kernel doubles the requested size for its own bookkeeping.
  EXPECT_EQ(option_of(socket.fd(), SOL_SOCKET, SO_RCVBUF), 2 * 65536);
  EXPECT_EQ(option_of(socket.fd(), SOL_SOCKET, SO_SNDBUF), 2 * 32768);
  char name[16] = {};
  socklen_t size = sizeof name;
  ASSERT_EQ(::getsockopt(socket.fd(), SOL_SOCKET, SO_BINDTODEVICE, name, &size), 0);
  EXPECT_STREQ(name, "lo");
}

TEST(SocketOptions, CanTurnNoDelayOff) {
  const Socket socket = make_socket();
  SocketOptions options;
  options.no_delay = false;
  ASSERT_TRUE(apply(options, socket));
  EXPECT_EQ(option_of(socket.fd(), IPPROTO_TCP, TCP_NODELAY), 0);
}

TEST(SocketOptions, NameTheInterfaceThatDoesNotExist) {
  const Socket socket = make_socket();
  SocketOptions options;
  options.bind_interface = "no-such-if";
  const auto applied = apply(options, socket);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().where, "bind_interface no-such-if");
}

TEST(SocketOptions, AreSetOnAcceptedSockets) {
  SocketOptions options;
  options.receive_buffer_bytes = 50000;
  options.send_buffer_bytes = 40000;
  options.quick_ack = true;
  options.bind_interface = "lo";
  ReactorOptions limits;
  limits.connections_max = 1;
  Rig rig(limits, options);
  const std::size_t before = loopback::open_descriptors();
  auto [peer, connection] = rig.join();
  ASSERT_EQ(loopback::open_descriptors(), before + 2);
  // The accepted socket is the descriptor whose peer is our peer's end.
  const auto end = Socket(::dup(peer.fd())).local_address();
  int accepted = -1;
  for (int fd = 0; fd < 1024; ++fd) {
    Socket probe(fd);
    if (fd != peer.fd() && end && probe.peer_address() == end) {
      accepted = fd;
    }
    static_cast<void>(probe.release());
  }
  ASSERT_NE(accepted, -1);
  EXPECT_EQ(option_of(accepted, IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_EQ(option_of(accepted, SOL_SOCKET, SO_RCVBUF), 100000);
  EXPECT_EQ(option_of(accepted, SOL_SOCKET, SO_SNDBUF), 80000);
  peer.send("x");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries == 1; }));
  // An answer makes the kernel fall back to delayed acknowledgements; the next read must undo that.
  EXPECT_EQ(rig.reactor->send(connection, "answer"), SendResult::Sent);
  rig.reactor->submit();
  EXPECT_EQ(option_of(accepted, IPPROTO_TCP, TCP_QUICKACK), 0);
  peer.send("y");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries == 2; }));
  EXPECT_EQ(option_of(accepted, IPPROTO_TCP, TCP_QUICKACK), 1);
}

}  // namespace
}  // namespace affix::net
