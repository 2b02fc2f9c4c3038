// SPDX-License-Identifier: MIT
// systemd's descriptor store, with a socket like systemd's and variables like its own.
#include "unit/keeper/keeper_case.hpp"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/uio.h>
#include <sys/un.h>

namespace affix::keeper {
namespace {

using namespace cases;

/// Text and descriptor of a notice.
struct Notice {
  std::string text{};
  net::Socket socket{};
};

class Manager {
 public:
  explicit Manager(const std::string& path)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    const auto address = address_of(path);
    EXPECT_EQ(::bind(socket_.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address),
              0);
  }

  /// An empty one if none has arrived.
  [[nodiscard]] Notice take() const {
    std::array<char, 512> text;
    iovec piece{text.data(), text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr packet{};
    packet.msg_iov = &piece;
    packet.msg_iovlen = 1;
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(socket_.fd(), &packet, MSG_CMSG_CLOEXEC);
    Notice notice;
    if (size > 0) {
      notice.text.assign(text.data(), static_cast<std::size_t>(size));
    }
    if (const cmsghdr* const header = size < 0 ? nullptr : CMSG_FIRSTHDR(&packet)) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header), sizeof number);
      notice.socket = net::Socket(number);
    }
    return notice;
  }

 private:
  net::Socket socket_;
};

/// Above the numbers that are passed.
net::Socket moved_up(net::Socket socket) {
  return net::Socket(::fcntl(socket.fd(), F_DUPFD_CLOEXEC, 100));
}

/// The number `number` is `socket`'s while an object lives.
class PassedAs {
 public:
  PassedAs(int number, int descriptor)
      : number_(number), before_(::fcntl(number, F_DUPFD_CLOEXEC, 100)) {
    EXPECT_EQ(::dup2(descriptor, number), number);
  }

  PassedAs(const PassedAs&) = delete;
  PassedAs& operator=(const PassedAs&) = delete;

  ~PassedAs() {
    ::close(number_);
    if (before_ >= 0) {
      ::dup2(before_, number_);
      ::close(before_);
    }
  }

 private:
  int number_;
  int before_;
};

TEST(SystemdKeeper, StoresByNotices) {
  const support::TemporaryDirectory directory;
  const Manager manager(directory.path("notify"));
  ::setenv("NOTIFY_SOCKET", directory.path("notify").c_str(), 1);
  const auto keeper = open_keeper("SYSTEMD", "venue");
  ::unsetenv("NOTIFY_SOCKET");
  ASSERT_TRUE(keeper) << keeper.error().text();
  EXPECT_TRUE((*keeper)->take()->empty());
  Connection connection;
  EXPECT_EQ((*keeper)->hold("session 1", connection.own.fd()), Held::Yes);
  EXPECT_EQ(manager.take().text, "FDSTOREREMOVE=1\nFDNAME=session 1");
  const Notice stored = manager.take();
  EXPECT_EQ(stored.text, "FDSTORE=1\nFDPOLL=0\nFDNAME=session 1");
  connection.own.close();
  EXPECT_TRUE(are_connected(stored.socket, connection.peer));
  EXPECT_EQ((*keeper)->drop("session 1"), Held::Yes);
  EXPECT_EQ(manager.take().text, "FDSTOREREMOVE=1\nFDNAME=session 1");
  EXPECT_EQ((*keeper)->hold("a:b", connection.listener.fd()), Held::Invalid);
  EXPECT_EQ((*keeper)->hold("session", -1), Held::Invalid);
  EXPECT_EQ((*keeper)->next_refused(), std::nullopt);
  EXPECT_FALSE((*keeper)->lost());
  EXPECT_EQ(manager.take().text, "");
}

TEST(SystemdKeeper, NeedsAServiceManager) {
  ::unsetenv("NOTIFY_SOCKET");
  const auto keeper = open_keeper("SYSTEMD", "venue");
  ASSERT_FALSE(keeper);
  EXPECT_EQ(keeper.error().code, base::ErrorCode::NotFound);
  EXPECT_EQ(keeper.error().message_code, base::MessageCode("K102"));
}

TEST(SystemdKeeper, AManagerThatEndsOrDoesNotReadIsSeen) {
  const support::TemporaryDirectory directory;
  auto manager = std::make_unique<Manager>(directory.path("notify"));
  const auto keeper = open_systemd_keeper(directory.path("notify"));
  ASSERT_TRUE(keeper);
  const Connection connection;
  Held held = Held::Yes;
  for (int number = 0; number < 100'000 && held == Held::Yes; ++number) {
    held = (*keeper)->hold("session", connection.own.fd());
  }
  EXPECT_EQ(held, Held::Busy);
  EXPECT_FALSE((*keeper)->lost());
  manager.reset();
  EXPECT_EQ((*keeper)->hold("session", connection.own.fd()), Held::Lost);
  EXPECT_TRUE((*keeper)->lost());
  EXPECT_EQ((*keeper)->try_again(), Again::NotYet);
  ::unlink(directory.path("notify").c_str());
  const Manager next(directory.path("notify"));
  EXPECT_EQ((*keeper)->try_again(), Again::Owner);
  EXPECT_FALSE((*keeper)->lost());
}

/// Three descriptors of which the second is no socket.
class SystemdKeeperAtStart : public ::testing::Test {
 public:
  static void pass(std::int64_t process, const char* count, const char* names) {
    ::setenv("LISTEN_PID", std::to_string(process).c_str(), 1);
    ::setenv("LISTEN_FDS", count, 1);
    ::setenv("LISTEN_FDNAMES", names, 1);
  }

  std::unique_ptr<Keeper> keeper = std::move(*open_systemd_keeper("@nobody"));
  net::Socket listener = moved_up(listen_anywhere());
  net::Socket peer = moved_up(connect_to_listener(listener));
  net::Socket own = moved_up(net::Socket(::accept(listener.fd(), nullptr, nullptr)));
  PassedAs third{3, own.fd()};
  PassedAs fourth{4, STDERR_FILENO};
  PassedAs fifth{5, listener.fd()};
};

TEST_F(SystemdKeeperAtStart, TakesWhatItWasPassed) {
  pass(::getpid(), "3", "session:log");
  auto taken = keeper->take();
  ASSERT_TRUE(taken);
  ASSERT_EQ(taken->size(), 2U);
  EXPECT_EQ((*taken)[0].name, "session");
  EXPECT_TRUE(are_connected((*taken)[0].socket, peer));
  EXPECT_EQ(::fcntl((*taken)[0].socket.fd(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ((*taken)[1].name, "unknown");
  EXPECT_TRUE(keeper->take()->empty());
  // Each number is closed once, by its PassedAs.
  static_cast<void>((*taken)[0].socket.release());
  static_cast<void>((*taken)[1].socket.release());
}

TEST_F(SystemdKeeperAtStart, TakesNothingThatWasPassedToAnother) {
  pass(::getpid() + 1, "3", "session:log:listener");
  EXPECT_TRUE(keeper->take()->empty());
  EXPECT_EQ(std::getenv("LISTEN_PID"), nullptr);
  EXPECT_EQ(std::getenv("LISTEN_FDS"), nullptr);
  EXPECT_EQ(std::getenv("LISTEN_FDNAMES"), nullptr);
}

TEST_F(SystemdKeeperAtStart, TakesNothingIfTheNumberIsNone) {
  for (const char* const count : {"", "-1", "x", "99999999999", "99999999999999999999"}) {
    pass(::getpid(), count, "session");
    EXPECT_TRUE(keeper->take()->empty()) << count;
  }
}

}  // namespace
}  // namespace affix::keeper
