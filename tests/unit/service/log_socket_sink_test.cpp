// SPDX-License-Identifier: MIT
// Datagrams to the system's log daemons, received by the test.
#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/service/log_sink.hpp"

#include "support/temporary_directory.hpp"

#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace affix::service {
namespace {

using Severity = host::Event::Severity;

/// A datagram socket with a name.
class Daemon {
 public:
  explicit Daemon(const std::string& path)
      : socket_(net::make_socket(AF_UNIX, SOCK_DGRAM, net::Waiting::Allowed)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(::bind(socket_.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  /// Returns a datagram that has arrived: sending is complete when it returns.
  [[nodiscard]] std::string receive() const {
    std::string bytes(65'536, '\0');
    const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

 private:
  net::Socket socket_;
};

class LogSocketSink : public ::testing::Test {
 protected:
  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("socket");
};

TEST_F(LogSocketSink, SyslogGetsPriorityProgramAndText) {
  const Daemon daemon(path_);
  const auto sink = open_syslog("affix", path_);
  ASSERT_TRUE(sink);
  ASSERT_TRUE(
      (*sink)->write({.severity = Severity::Error, .session = "DESK", .text = "gone\nbad"}));
  const std::string program = "affix[" + std::to_string(::getpid()) + "]:";
  EXPECT_EQ(daemon.receive(), "<27>" + program + " -    DESK: gone bad");
  ASSERT_TRUE((*sink)->write(
      {.severity = Severity::Debug, .session = {}, .text = "detail", .code = "E128"}));
  EXPECT_EQ(daemon.receive(), "<31>" + program + " E128 detail");
  EXPECT_EQ((*sink)->place(), "syslog");
}

TEST_F(LogSocketSink, JournaldGetsFields) {
  const Daemon daemon(path_);
  const auto sink = open_journald("affix", path_);
  ASSERT_TRUE(sink);
  ASSERT_TRUE((*sink)->write(
      {.severity = Severity::Warning, .session = "DESK", .text = "slow", .code = "S115"}));
  EXPECT_EQ(daemon.receive(),
            "MESSAGE=DESK: slow\nPRIORITY=4\nSYSLOG_IDENTIFIER=affix\nFIX_SESSION=DESK\n"
            "AFFIX_CODE=S115\n");
  ASSERT_TRUE((*sink)->write({.severity = Severity::Info, .session = {}, .text = "a\nb"}));
  EXPECT_EQ(daemon.receive(), std::string("MESSAGE\n\x03\0\0\0\0\0\0\0a\nb\n", 20) +
                                  "PRIORITY=6\nSYSLOG_IDENTIFIER=affix\n");
  EXPECT_EQ((*sink)->place(), "journald");
}

TEST_F(LogSocketSink, ADaemonThatWasStartedAnewIsFoundAgain) {
  SinkOrError sink;
  {
    const Daemon first(path_);
    sink = open_syslog("affix", path_);
    ASSERT_TRUE(sink);
  }
  EXPECT_FALSE((*sink)->write({.text = "nobody hears this"}));
  std::filesystem::remove(path_);
  const Daemon second(path_);
  EXPECT_TRUE((*sink)->write({.text = "heard"}));
  EXPECT_TRUE(second.receive().ends_with(" heard"));
}

TEST_F(LogSocketSink, NobodyThereIsSaid) {
  const auto sink = open_journald("affix", path_);
  ASSERT_FALSE(sink);
  EXPECT_NE(sink.error().text().find(path_), std::string::npos);
  EXPECT_FALSE(open_syslog("affix", std::string(200, 'x')));
}

}  // namespace
}  // namespace affix::service
