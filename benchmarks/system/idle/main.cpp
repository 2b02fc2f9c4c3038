// SPDX-License-Identifier: MIT
// ./dev bench idle [--sessions N] [--seconds N] [--workers N] [--durability WORD] [--json FILE]:
// cost of an engine with many sessions that only have heartbeats: share of a core, and memory per
// session. The peers are plain sockets of another process, which send heartbeats as FIX requires.
// In the same run, the raw baseline comes first: a loop that only reads and sends the same
// amount.
#include "affix/config/words.hpp"
#include "affix/engine/engine.hpp"
#include "affix/os/clock.hpp"

#include "../../temporary_directory.hpp"
#include "measure/measurement.hpp"
#include "raw_loop.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace affix;

constexpr int heartbeat_seconds = 30;

struct Options {
  int sessions = 2000;
  int seconds = heartbeat_seconds;  ///< Per contender. Whole intervals contain all heartbeats.
  int workers = 1;
  std::string durability = "process";
  std::string peers = "heartbeats";  ///< They send heartbeats, or nothing ("silent").
  std::string json;                  ///< File of the figures; empty: none.
};

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr, "idle: %.*s\n", static_cast<int>(what.size()), what.data());
  std::_Exit(1);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; at += 2) {
    const std::string_view name = argv[at];
    const std::string_view value = at + 1 < argc ? argv[at + 1] : "";
    std::string* const text = name == "--durability" ? &options.durability
                              : name == "--peers"    ? &options.peers
                              : name == "--json"     ? &options.json
                                                     : nullptr;
    if (text != nullptr && !value.empty()) {
      *text = value;
      continue;
    }
    int* const number = name == "--sessions"  ? &options.sessions
                        : name == "--seconds" ? &options.seconds
                        : name == "--workers" ? &options.workers
                                              : nullptr;
    if (number == nullptr ||
        std::from_chars(value.data(), value.data() + value.size(), *number).ec != std::errc{} ||
        *number < 1) {
      fail(
          "arguments are --sessions N, --seconds N, --workers N, --durability memory|process, "
          "--peers heartbeats|silent, --json FILE");
    }
  }
  if (options.peers != "heartbeats" && options.peers != "silent") {
    fail("--peers is heartbeats or silent");
  }
  if (options.peers == "silent" && options.seconds > heartbeat_seconds) {
    fail("whoever is silent for longer than an interval is asked why: --seconds 30 at most");
  }
  return options;
}

// --- The peers, in a process of their own ---

std::string comp_id(int session) {
  return "FIRM" + std::to_string(session);
}

void send_message(int fd, int session, std::string_view type, int sequence,
                  std::string_view fields) {
  std::array<char, 512> bytes;
  wire::Encoder message{std::span<char>(bytes)};
  message.begin("FIX.4.4", type);
  message.text(49, comp_id(session));
  message.text(56, "VENUE");
  message.integer(34, sequence);
  message.utc_time(52, base::UtcTime{os::now().utc_ns}, wire::TimePrecision::Millis);
  message.raw(fields);
  const auto whole = message.finish();
  if (!whole || ::send(fd, whole->data(), whole->size(), MSG_NOSIGNAL) < 0) {
    fail("a peer cannot send");
  }
}

/// Logs all on, reports it with one byte, then sends heartbeats until `end` is closed.
[[noreturn]] void be_peers(const Options& options, const net::Address& venue, int report, int end) {
  std::vector<pollfd> sockets(static_cast<std::size_t>(options.sessions));
  for (int session = 0; session < options.sessions; ++session) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ::connect(fd, venue.native(), static_cast<socklen_t>(venue.native_size())) != 0) {
      fail("a peer cannot connect: " + std::string(std::strerror(errno)));
    }
    sockets[static_cast<std::size_t>(session)] = {fd, POLLIN, 0};
    send_message(fd, session, "A", 1,
                 "98=0\x01"
                 "108=30\x01");
    std::array<char, 4096> answer;
    if (::recv(fd, answer.data(), answer.size(), 0) <= 0) {
      fail("a peer is not logged on");
    }
  }
  static_cast<void>(!::write(report, "!", 1));
  pollfd ended{end, POLLIN, 0};
  if (options.peers == "silent") {
    // Only the timer side is left: our heartbeats fall due and are sent.
    ::poll(&ended, 1, -1);
    std::_Exit(0);
  }
  for (int turn = 0;; ++turn) {
    // Each session's heartbeat in its turn, so that they are spread over the interval.
    const int session = turn % options.sessions;
    std::array<char, 4096> input;
    while (::recv(sockets[static_cast<std::size_t>(session)].fd, input.data(), input.size(),
                  MSG_DONTWAIT) > 0) {
    }
    send_message(sockets[static_cast<std::size_t>(session)].fd, session, "0",
                 2 + turn / options.sessions, {});
    const std::int64_t pause_us = std::int64_t{heartbeat_seconds} * 1'000'000 / options.sessions;
    const timespec pause{pause_us / 1'000'000, pause_us % 1'000'000 * 1'000};
    if (::ppoll(&ended, 1, &pause, nullptr) > 0) {
      std::_Exit(0);
    }
  }
}

// --- The engine, and its cost ---

class Listening final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}

  void on_admin(host::SessionHandle, const wire::MessageView&) noexcept override { ++heard; }

  void before_admin_send(host::SessionHandle, std::string_view, wire::Encoder&) noexcept override {
    ++said;
  }

  void on_logon(host::SessionHandle) noexcept override { ++logged_on; }

  void on_logout(host::SessionHandle, std::string_view) noexcept override { ++logged_out; }

  std::atomic<std::uint64_t> heard{0};
  std::atomic<std::uint64_t> said{0};
  std::atomic<int> logged_on{0};
  std::atomic<int> logged_out{0};
};

/// Resident private memory, in bytes: without that of a session's files and sockets.
std::int64_t private_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string line;
  std::int64_t kib = 0;
  while (std::getline(file, line)) {
    if (line.starts_with("Anonymous:")) {
      kib = std::atoll(line.c_str() + std::strlen("Anonymous:"));
    }
  }
  return kib * 1024;
}

/// Resources that the process has used so far.
struct Usage {
  double user_seconds = 0;
  double system_seconds = 0;
  std::int64_t sleeps = 0;  ///< Times that a thread gave up its core.
};

Usage usage_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_nvcsw};
}

/// A connection and a journal's lock each need a descriptor. Returns the number of sessions that
/// the process's limit allows.
int sessions_allowed(int wanted) {
  constexpr rlim_t others = 64;
  const rlim_t needed = 2 * static_cast<rlim_t>(wanted) + others;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  const rlimit raised{needed, std::max(needed, files.rlim_max)};
  if (needed <= files.rlim_cur || ::setrlimit(RLIMIT_NOFILE, &raised) == 0) {
    return wanted;
  }
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const int allowed = static_cast<int>((files.rlim_max - others) / 2);
  if (allowed < wanted) {
    std::printf("%d descriptors are allowed, which is enough for %d sessions, not %d\n",
                static_cast<int>(files.rlim_max), allowed, wanted);
  }
  return std::min(allowed, wanted);
}

config::Configuration configuration_of(const Options& options, const std::string& directory) {
  config::Configuration configuration;
  config::ServerSettings& server = configuration.servers.emplace_back();
  server.name = "SERVER";
  server.nic_address = "127.0.0.1";
  server.worker_thread_count = options.workers;
  for (int number = 0; number < options.sessions; ++number) {
    config::SessionSettings& session = configuration.sessions.emplace_back();
    session.name = comp_id(number);
    session.instance = server.name;
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = "VENUE";
    session.target_comp_id = session.name;
    if (!affix::config::choose(session, "durability", options.durability)) {
      std::fprintf(stderr, "no durability %s\n", options.durability.c_str());
      std::exit(2);
    }
    session.journal_path = directory;
    session.sequence_reserve = 0;
    session.max_serialised_file_size = 0;  // Only numbers are kept: disks hold many sessions.
    session.validations_enabled = false;
  }
  return configuration;
}

/// Cost of a part of the run.
struct Cost {
  double seconds = 0;
  Usage usage;
  std::uint64_t messages = 0;  ///< Read and sent.

  [[nodiscard]] double processor_seconds() const {
    return usage.user_seconds + usage.system_seconds;
  }

  [[nodiscard]] double share() const { return 100 * processor_seconds() / seconds; }

  [[nodiscard]] double message_us() const {
    return 1e6 * processor_seconds() / static_cast<double>(messages);
  }
};

Cost cost_of(double seconds, const Usage& begin, const Usage& end, std::uint64_t messages) {
  return {seconds,
          {end.user_seconds - begin.user_seconds, end.system_seconds - begin.system_seconds,
           end.sleeps - begin.sleeps},
          messages};
}

void print(const char* who, const Cost& cost) {
  std::printf("%-6s share of a core   %8.3f %% (user %.3f, system %.3f)\n", who, cost.share(),
              100 * cost.usage.user_seconds / cost.seconds,
              100 * cost.usage.system_seconds / cost.seconds);
  std::printf("       messages          %8.0f a second, both ways, %.1f us each\n",
              static_cast<double>(cost.messages) / cost.seconds, cost.message_us());
  std::printf("       sleeps            %8.0f a second\n",
              static_cast<double>(cost.usage.sleeps) / cost.seconds);
}

/// The other process, from start() to end().
class Peers {
 public:
  void start(const Options& options, const net::Address& venue) {
    int reported[2];
    int end[2];
    if (::pipe(reported) != 0 || ::pipe(end) != 0) {
      fail("no pipes");
    }
    process_ = ::fork();
    if (process_ == 0) {
      ::close(end[1]);
      be_peers(options, venue, reported[1], end[0]);
    }
    ::close(reported[1]);
    ::close(end[0]);
    reported_ = reported[0];
    end_ = end[1];
  }

  /// Returns when all have sent their Logon and have its answer.
  void await() const {
    char ready = 0;
    if (::read(reported_, &ready, 1) != 1) {
      fail("not all sessions logged on");
    }
  }

  void end() const {
    ::close(end_);
    ::close(reported_);
    ::waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_ = -1;
  int reported_ = -1;
  int end_ = -1;
};

Cost measure_floor(const Options& options) {
  affix_bench::RawLoop loop;
  Peers peers;
  peers.start(options, loop.address());
  loop.accept(options.sessions, heartbeat_seconds * base::ns_per_second);
  peers.await();
  const Usage begin = usage_now();
  loop.run(options.seconds * base::ns_per_second);
  const Cost cost = cost_of(options.seconds, begin, usage_now(), loop.messages());
  peers.end();
  return cost;
}

void measure(const Options& options, engine::Engine& engine, const Listening& application,
             std::int64_t before, const Peers& peers, const Cost& floor) {
  const auto per_session = [&](std::int64_t bytes) {
    return static_cast<double>(bytes - before) / 1024 / options.sessions;
  };
  const std::int64_t opened = private_bytes();
  std::thread thread([&engine] { engine.run(); });
  peers.await();
  if (application.logged_on != options.sessions) {
    fail("not all sessions logged on");
  }
  const std::int64_t logged_on = private_bytes();
  const Usage begin = usage_now();
  const std::uint64_t messages_before = application.heard + application.said;
  std::this_thread::sleep_for(std::chrono::seconds(options.seconds));
  const Cost cost = cost_of(options.seconds, begin, usage_now(),
                            application.heard + application.said - messages_before);
  if (application.logged_out != 0) {
    fail("sessions were lost");
  }
  std::printf("sessions %d, workers %d, durability %s, heartbeats every %d s, peers: %s, %d s\n",
              options.sessions, options.workers, options.durability.c_str(), heartbeat_seconds,
              options.peers.c_str(), options.seconds);
  print("floor", floor);
  print("affix", cost);
  std::printf("memory after opening   %8.2f KiB a session\n", per_session(opened));
  std::printf("memory after logon     %8.2f KiB a session\n", per_session(logged_on));
  const double at_rest = per_session(private_bytes());
  std::printf("memory at the end      %8.2f KiB a session\n", at_rest);
  if (!options.json.empty()) {
    using tools::measurement_of;
    const std::string number = std::to_string(options.sessions);
    const auto written = tools::write_measurements(
        options.json,
        {measurement_of("idle/memory", "affix_" + number, "bytes", {at_rest * 1024}),
         measurement_of("idle/core_share", "affix_" + number, "%", {cost.share()}),
         measurement_of("idle/core_share", "floor_" + number, "%", {floor.share()}),
         measurement_of("idle/message", "affix_" + number, "ns", {1e3 * cost.message_us()}),
         measurement_of("idle/message", "floor_" + number, "ns", {1e3 * floor.message_us()})});
    if (!written) {
      fail(written.error().text());
    }
  }
  peers.end();
  engine.request_stop();
  thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.sessions = sessions_allowed(options.sessions);
  const affix_bench::TemporaryDirectory directory;
  const Cost floor = measure_floor(options);
  const std::int64_t before = private_bytes();
  Listening application;
  auto engine = engine::Engine::open(configuration_of(options, directory.path()), application);
  if (!engine) {
    fail(config::text_of(engine.error()));
  }
  Peers peers;
  peers.start(options, (*engine)->listening_addresses().front());
  measure(options, **engine, application, before, peers, floor);
  engine->reset();
  return 0;
}
