// SPDX-License-Identifier: MIT
// Limits, signals and the loop around the server. Nothing is allocated in the loop.
#include "keep/command.hpp"

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/keeper/server.hpp"
#include "affix/net/notice_socket.hpp"
#include "affix/net/socket.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <sys/signalfd.h>

namespace affix::inline v0::tools::keep {

namespace {

constexpr int failed_status = 1;

struct Arguments {
  std::string socket;
  std::size_t connections = 4096;
  std::int64_t keep_seconds = 60;
};

/// Lines on standard error.
class Lines final : public keeper::ServerReports {
 public:
  explicit Lines(std::int64_t keep_seconds) : keep_seconds_(keep_seconds) {}

  void report(keeper::ServerReport what, std::string_view instance, std::int64_t process,
              std::size_t count) noexcept override {
    const auto size = static_cast<int>(instance.size());
    const char* const name = instance.data();
    const auto pid = static_cast<long long>(process);
    switch (what) {
      case keeper::ServerReport::Owned:
        std::fprintf(stderr, "affix-keep: %.*s: owned by process %lld, which takes %zu [K201]\n",
                     size, name, pid, count);
        break;
      case keeper::ServerReport::OwnerEnded:
        std::fprintf(
            stderr,
            "affix-keep: %.*s: process %lld has ended; %zu are kept for %lld seconds [K201]\n",
            size, name, pid, count, keep_seconds_);
        break;
      case keeper::ServerReport::Expired:
        std::fprintf(stderr, "affix-keep: %.*s: no owner came in time; %zu are closed [K205]\n",
                     size, name, count);
        break;
      case keeper::ServerReport::Full:
        std::fprintf(stderr,
                     "affix-keep: %.*s: no room for what process %lld wants to keep: all %zu "
                     "places are taken, or it is neither a TCP socket nor a file [K206]\n",
                     size, name, pid, count);
        break;
      case keeper::ServerReport::RefusedUser:
        std::fprintf(stderr, "affix-keep: process %lld is refused: it runs as user %zu [K104]\n",
                     pid, count);
        break;
      case keeper::ServerReport::RefusedVersion:
        std::fprintf(stderr,
                     "affix-keep: process %lld is refused: it has version %zu of the protocol "
                     "[K106]\n",
                     pid, count);
        break;
      case keeper::ServerReport::RefusedInUse:
        std::fprintf(stderr,
                     "affix-keep: %.*s: process %lld is refused: in use by process %zu [K105]\n",
                     size, name, pid, count);
        break;
      case keeper::ServerReport::Late:
        std::fprintf(stderr,
                     "affix-keep: %.*s: process %lld was next in line and has not answered for %zu "
                     "seconds: it is refused [K109]\n",
                     size, name, pid, count);
        break;
      case keeper::ServerReport::Garbage:
        std::fprintf(stderr,
                     "affix-keep: process %lld is refused: it does not speak the protocol [K106]\n",
                     pid);
        break;
    }
  }

 private:
  long long keep_seconds_;
};

/// How many descriptors this process may have, at least `wanted` if the system allows it.
rlim_t raise_descriptor_limit(rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return 0;
  }
  if (limit.rlim_cur < wanted) {
    const rlimit raised{wanted, std::max(wanted, limit.rlim_max)};
    const rlimit allowed{limit.rlim_max, limit.rlim_max};
    // The first one needs a privilege if the hard limit is lower.
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0 || ::setrlimit(RLIMIT_NOFILE, &allowed) == 0) {
      ::getrlimit(RLIMIT_NOFILE, &limit);
    }
  }
  return limit.rlim_cur;
}

/// Readable when SIGTERM or SIGINT has arrived; they no longer end the process.
net::Socket watch_stop_signals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  ::sigprocmask(SIG_BLOCK, &stops, nullptr);
  // A reader of the log that ends, or a terminal that closes, must not end the keeper.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGHUP, SIG_IGN));
  return net::Socket(::signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK));
}

/// Milliseconds for poll(), rounded up so that the time has come afterwards; -1: for ever.
int wait_ms(std::int64_t until_ns) {
  if (until_ns == std::numeric_limits<std::int64_t>::max()) {
    return -1;
  }
  const std::int64_t rest_ns = until_ns - os::read_clock_ns(CLOCK_MONOTONIC);
  constexpr std::int64_t longest_ms = 60'000;
  return static_cast<int>(std::clamp<std::int64_t>(rest_ns / base::ns_per_ms + 1, 0, longest_ms));
}

int run(Arguments arguments) {
  const rlim_t wanted = arguments.connections + keeper::server_descriptors;
  const rlim_t allowed = raise_descriptor_limit(wanted);
  if (allowed <= keeper::server_descriptors) {
    std::fprintf(stderr, "affix-keep: RLIMIT_NOFILE is %zu, and %zu are needed [K204]\n",
                 std::size_t{allowed}, std::size_t{wanted});
    return failed_status;
  }
  if (allowed < wanted) {
    arguments.connections = allowed - keeper::server_descriptors;
    std::fprintf(stderr, "affix-keep: RLIMIT_NOFILE leaves room for %zu connections only [K204]\n",
                 arguments.connections);
  }
  const net::Socket signals = watch_stop_signals();
  if (!signals.is_open()) {
    std::fprintf(stderr, "affix-keep: %s\n",
                 base::make_system_error("signalfd", errno, {}).text().c_str());
    return failed_status;
  }
  Lines lines(arguments.keep_seconds);
  const auto server =
      keeper::Server::open({.socket = arguments.socket,
                            .entries = arguments.connections,
                            .keep_ns = arguments.keep_seconds * base::ns_per_second},
                           lines);
  if (!server) {
    std::fprintf(stderr, "affix-keep: %s\n", server.error().text().c_str());
    return failed_status;
  }
  const char* const manager = std::getenv("NOTIFY_SOCKET");
  const std::string notices = manager == nullptr ? std::string() : std::string(manager);
  static_cast<void>(net::send_notice(notices, "READY=1"));
  std::printf("affix-keep: keeps up to %zu connections, on %s\n", arguments.connections,
              arguments.socket.c_str());
  std::fflush(stdout);
  std::array<pollfd, 2> waits{
      pollfd{.fd = signals.fd(), .events = POLLIN, .revents = 0},
      pollfd{.fd = (*server)->descriptor(), .events = POLLIN, .revents = 0}};
  while (waits[0].revents == 0) {
    ::poll(waits.data(), waits.size(), wait_ms((*server)->next_turn_ns()));
    (*server)->turn(os::read_clock_ns(CLOCK_MONOTONIC));
  }
  static_cast<void>(net::send_notice(notices, "STOPPING=1"));
  return 0;
}

}  // namespace

void add_options(Command program) {
  const auto arguments = std::make_shared<Arguments>();
  program
      .add_option("--socket", arguments->socket,
                  "Path of the socket; only its user may write to the directory")
      .required();
  program
      .add_option("--connections", arguments->connections,
                  "Maximum number of sockets that are kept")
      .between(1, 1'000'000)
      .with_default();
  program
      .add_option("--keep-seconds", arguments->keep_seconds,
                  "How long sockets are kept after their engine has ended; then they are closed")
      .between(0, 86'400)
      .with_default();
  program.on_run([arguments] { return run(*arguments); });
}

}  // namespace affix::inline v0::tools::keep
