// SPDX-License-Identifier: MIT
// A manager that waits for a start is informed of its progress.
#include "service/start_watch.hpp"

#include "affix/config/configuration.hpp"
#include "affix/net/socket_calls.hpp"

#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace affix::service {
namespace {

TEST(StartWatch, AsksForMoreTimeWhileTheProcessIsAtWorkAndSaysSoInTheLog) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("notify");
  const int listener = net::make_socket(AF_UNIX, SOCK_DGRAM, net::Waiting::Never);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  config::EngineSettings settings;
  settings.log_file = directory.path("log");
  const ServiceNotice notice(path, 0);
  std::array<char, 512> text{};
  {
    auto log = EventLog::open(settings);
    ASSERT_TRUE(log);
    const StartWatch watch(notice, *log, 1'000'000);
    // Works until it is reported.
    std::atomic<std::uint64_t> work{0};
    while (::recv(listener, text.data(), text.size() - 1, 0) < 0) {
      ++work;
    }
  }
  ::close(listener);
  EXPECT_TRUE(std::string(text.data())
                  .starts_with("EXTEND_TIMEOUT_USEC=6000\nSTATUS=starting: opening journals, "))
      << text.data();
  const std::string lines = support::read_file(settings.log_file);
  EXPECT_TRUE(support::has_message(lines, "J206"));
}

}  // namespace
}  // namespace affix::service
