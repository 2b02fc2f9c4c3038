// SPDX-License-Identifier: MIT
// Shared by tests of the keeper: a server in this process whose turns and time the test decides,
// TCP connections on the loopback interface, and a process that speaks the protocol by itself.
#pragma once

#include "affix/keeper/keeper.hpp"
#include "affix/keeper/server.hpp"

#include "keeper/packet.hpp"
#include "support/temporary_directory.hpp"

#include <array>
#include <cstdint>
#include <dirent.h>
#include <gtest/gtest.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::keeper::cases {

class Reports final : public ServerReports {
 public:
  void report(ServerReport what, std::string_view instance, std::int64_t /*process*/,
              std::size_t count) noexcept override {
    if (recording) {
      seen.push_back({what, std::string(instance), count});
    }
  }

  struct Seen {
    ServerReport what;
    std::string instance;
    std::size_t count;
  };

  [[nodiscard]] std::size_t number_of(ServerReport what) const {
    std::size_t number = 0;
    for (const Seen& one : seen) {
      number += one.what == what ? 1 : 0;
    }
    return number;
  }

  bool recording = true;
  std::vector<Seen> seen;
};

class Case : public ::testing::Test {
 public:
  explicit Case(std::size_t entries = 16) {
    options.socket = directory.path("keeper");
    options.entries = entries;
    start();
  }

  void start() {
    auto opened = Server::open(options, reports);
    ASSERT_TRUE(opened) << opened.error().text();
    server = std::move(*opened);
  }

  /// Until nothing more arrives.
  void turn() {
    pollfd asked{.fd = server->descriptor(), .events = POLLIN, .revents = 0};
    do {
      server->turn(now_ns);
    } while (::poll(&asked, 1, 0) == 1);
  }

  [[nodiscard]] std::unique_ptr<Keeper> open(WhenOwned when_owned = WhenOwned::Refuse,
                                             std::string_view instance = "venue") {
    auto opened = open_keeper(options.socket, instance, when_owned);
    EXPECT_TRUE(opened) << opened.error().text();
    turn();
    return opened ? std::move(*opened) : nullptr;
  }

  /// A connection that says what the test wants.
  [[nodiscard]] net::Socket connect() const {
    net::Socket socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const auto address = address_of(options.socket);
    EXPECT_EQ(::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address),
              0);
    return socket;
  }

  /// The same as an owner, which is given nothing.
  [[nodiscard]] net::Socket connect_as_owner(std::string_view instance = "venue") {
    net::Socket socket = connect();
    say(socket, make_message(MessageKind::Hello, instance));
    turn();
    EXPECT_EQ(hear(socket), MessageKind::Granted);
    EXPECT_EQ(hear(socket), MessageKind::End);
    return socket;
  }

  static void say(const net::Socket& socket, const Message& message, int descriptor = -1) {
    EXPECT_EQ(send_packet(socket, message, descriptor), 0);
  }

  static MessageKind hear(const net::Socket& socket) {
    const Packet packet = receive_packet(socket);
    EXPECT_EQ(packet.arrived, Arrived::Message);
    return packet.message.kind;
  }

  /// Gives `keeper` a number of descriptors, each of which it takes.
  void hold(Keeper& keeper, int descriptor, std::size_t count) {
    for (std::size_t number = 0; number < count; ++number) {
      EXPECT_EQ(keeper.hold("session " + std::to_string(number), descriptor), Held::Yes);
    }
  }

  /// The owner, which was given nothing.
  [[nodiscard]] std::unique_ptr<Keeper> open_first() {
    auto keeper = open();
    const auto taken = keeper->take();
    EXPECT_TRUE(taken && taken->empty());
    return keeper;
  }

  support::TemporaryDirectory directory;
  Reports reports;
  ServerOptions options;
  std::unique_ptr<Server> server;
  std::int64_t now_ns = 1;
};

inline net::Socket listen_anywhere() {
  net::Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(socket.fd(), 8), 0);
  return socket;
}

inline net::Socket connect_to_listener(const net::Socket& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  EXPECT_EQ(::getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  net::Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  return socket;
}

/// Both ends of a connection, and the listener that accepted it.
struct Connection {
  net::Socket listener = listen_anywhere();
  net::Socket peer = connect_to_listener(listener);
  net::Socket own{::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC)};
};

/// Waits until something has arrived, for 10 s if a test fails.
inline bool is_readable(const net::Socket& socket) {
  pollfd asked{.fd = socket.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&asked, 1, 10'000) == 1;
}

/// True: what is written at one end arrives at the other.
inline bool are_connected(const net::Socket& from, const net::Socket& to) {
  char byte = 'a';
  return ::send(from.fd(), &byte, 1, MSG_NOSIGNAL) == 1 && is_readable(to) &&
         ::recv(to.fd(), &byte, 1, 0) == 1;
}

/// Waits for the stream's end, or for its reset.
inline bool has_ended(const net::Socket& socket) {
  char byte = 'a';
  return is_readable(socket) && ::recv(socket.fd(), &byte, 1, 0) <= 0;
}

/// Nothing has arrived, the end neither.
inline bool is_quiet(const net::Socket& socket) {
  pollfd asked{.fd = socket.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&asked, 1, 0) == 0;
}

inline std::size_t open_descriptors() {
  DIR* const folder = ::opendir("/proc/self/fd");
  std::size_t count = 0;
  while (::readdir(folder) != nullptr) {
    ++count;
  }
  ::closedir(folder);
  return count;
}

}  // namespace affix::keeper::cases
