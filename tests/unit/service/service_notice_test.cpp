// SPDX-License-Identifier: MIT
// Notices to a service manager, and its variables in the environment.
#include "affix/service/service_notice.hpp"

#include "affix/base/time.hpp"
#include "affix/net/socket_calls.hpp"

#include "support/temporary_directory.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace affix::service {
namespace {

/// A socket like a service manager's.
class Listener {
 public:
  explicit Listener(const std::string& path)
      : descriptor_(net::make_socket(AF_UNIX, SOCK_DGRAM, net::Waiting::Never)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  ~Listener() { ::close(descriptor_); }

  /// Empty: none has arrived.
  [[nodiscard]] std::string take() const {
    std::array<char, 512> text;
    const ssize_t size = ::recv(descriptor_, text.data(), text.size(), 0);
    return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }

 private:
  int descriptor_;
};

std::int64_t watchdog_of(const char* us, const char* pid) {
  ::setenv("WATCHDOG_USEC", us, 1);
  if (pid != nullptr) {
    ::setenv("WATCHDOG_PID", pid, 1);
  }
  const std::int64_t ns = ServiceNotice::from_environment().watchdog_ns();
  EXPECT_EQ(std::getenv("WATCHDOG_USEC"), nullptr);
  EXPECT_EQ(std::getenv("WATCHDOG_PID"), nullptr);
  return ns;
}

TEST(ServiceNotice, EachNoticeIsADatagram) {
  const support::TemporaryDirectory directory;
  const Listener listener(directory.path("notify"));
  ::setenv("NOTIFY_SOCKET", directory.path("notify").c_str(), 1);
  const ServiceNotice notice = ServiceNotice::from_environment();
  EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr);
  EXPECT_EQ(notice.socket(), directory.path("notify"));
  notice.ready("running");
  EXPECT_EQ(listener.take(), "READY=1\nSTATUS=running");
  notice.reloading();
  EXPECT_TRUE(listener.take().starts_with("RELOADING=1\nMONOTONIC_USEC="));
  notice.alive();
  EXPECT_EQ(listener.take(), "WATCHDOG=1");
  notice.stopping("logging out");
  EXPECT_EQ(listener.take(), "STOPPING=1\nSTATUS=logging out");
  EXPECT_EQ(listener.take(), "");
}

TEST(ServiceNotice, AMissingListenerIsNotAFault) {
  const support::TemporaryDirectory directory;
  for (const std::string& socket :
       {std::string(), std::string("@"), directory.path("nobody"), "/" + std::string(200, 'x')}) {
    ServiceNotice(socket, 0).ready("running");
  }
  // Does not wait for a manager that does not read.
  const Listener listener(directory.path("full"));
  const ServiceNotice notice(directory.path("full"), 0);
  for (int number = 0; number < 10'000; ++number) {
    notice.alive();
  }
  EXPECT_EQ(listener.take(), "WATCHDOG=1");
}

TEST(ServiceNotice, TheWatchdogIsOursAndANumber) {
  EXPECT_EQ(watchdog_of("30000000", nullptr), 30 * base::ns_per_second);
  EXPECT_EQ(watchdog_of("1", std::to_string(::getpid()).c_str()), base::ns_per_us);
  EXPECT_EQ(watchdog_of("30000000", "1"), 0);
  for (const char* const text : {"", "0", "-1", "30s", "86400000001", "99999999999999999999"}) {
    EXPECT_EQ(watchdog_of(text, nullptr), 0) << text;
  }
  EXPECT_EQ(ServiceNotice::from_environment().watchdog_ns(), 0);
}

}  // namespace
}  // namespace affix::service
