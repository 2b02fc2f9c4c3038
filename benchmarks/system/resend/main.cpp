// SPDX-License-Identifier: MIT
// bench resend: sends one session a million old messages that are not in memory, while another on
// the same worker trades. Measures the latter's round trips before and meanwhile, and memory use.
#include "affix/engine/engine.hpp"

#include "../../temporary_directory.hpp"
#include "peer.hpp"
#include "support/long_history.hpp"
#include "support/page_cache.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace affix_bench {
namespace {

namespace config = affix::config;
namespace engine = affix::engine;
namespace host = affix::host;
namespace support = affix::support;
namespace wire = affix::wire;
using Clock = std::chrono::steady_clock;

struct Arguments {
  std::uint64_t messages = 1'000'000;
  double before_seconds = 5;
  bool cached = false;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int at = 1; at < argc; ++at) {
    const std::string_view name = argv[at];
    if (name == "--cached") {
      arguments.cached = true;
    } else if (name == "--messages" && at + 1 < argc) {
      arguments.messages = std::strtoull(argv[++at], nullptr, 10);
    } else if (name == "--before" && at + 1 < argc) {
      arguments.before_seconds = std::strtod(argv[++at], nullptr);
    } else {
      std::fprintf(stderr,
                   "usage: resend [--messages N (1000000)] [--before SECONDS (5)] [--cached]\n"
                   "--cached leaves the history in memory.\n");
      std::exit(2);
    }
  }
  if (arguments.messages == 0 || !(arguments.before_seconds > 0)) {
    std::fprintf(stderr, "both numbers are above 0\n");
    std::exit(2);
  }
  return arguments;
}

/// Answers each message with one of the same length.
class Venue final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    wire::Encoder answer = session.begin("8");
    answer.text(11, message.find(11U).value_or("?"));
    answer.text(55, "ACME");
    answer.text(58, "filled, and this is what the answer says about it");
    static_cast<void>(session.commit(answer));
  }

  void on_event(const host::Event& event) noexcept override {
    if (event.severity == host::Event::Severity::Error) {
      std::fprintf(stderr, "%.*s\n", static_cast<int>(event.text.size()), event.text.data());
    }
  }
};

config::Configuration configuration(const std::string& directory) {
  config::Configuration all;
  config::ServerSettings server;
  server.name = "SERVER";
  server.nic_address = "127.0.0.1";
  all.servers.push_back(server);
  for (const char* peer : {"LIVE", "FIRM"}) {
    config::SessionSettings session;
    session.name = peer;
    session.instance = "SERVER";
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = "VENUE";
    session.target_comp_id = peer;
    session.journal_path = directory;
    all.sessions.push_back(session);
  }
  return all;
}

std::unique_ptr<engine::Engine> open_engine(const config::Configuration& settings, Venue& venue) {
  auto opened = engine::Engine::open(settings, venue);
  if (!opened) {
    std::fprintf(stderr, "%s\n", config::text_of(opened.error()).c_str());
    std::exit(2);
  }
  return std::move(*opened);
}

/// The directory of the session's journal, filled with history and out of memory.
void make_history(const config::Configuration& settings, const Arguments& arguments) {
  Venue nobody;
  const std::string journal(open_engine(settings, nobody)->session("FIRM").journal_directory());
  std::filesystem::remove_all(journal);
  if (!support::write_history(journal, arguments.messages)) {
    die("the history could not be written");
  }
  std::uintmax_t bytes = 0;
  bool forgotten = true;
  for (const auto& entry : std::filesystem::directory_iterator(journal)) {
    bytes += entry.path().extension() == ".journal" ? entry.file_size() : 0;
    forgotten = (arguments.cached || entry.path().extension() != ".journal" ||
                 support::forget_pages(entry.path())) &&
                forgotten;
  }
  std::printf("resend: %llu messages in %.2f GB of segments, %s\n",
              static_cast<unsigned long long>(arguments.messages), static_cast<double>(bytes) / 1e9,
              arguments.cached ? "in memory"
              : forgotten      ? "not in memory"
                               : "NOT TAKEN OUT OF MEMORY");
}

/// Round trips of one order at a time while `going` holds, in microseconds.
template <typename Going>
std::vector<double> round_trips(Peer& peer, Going&& going) {
  std::vector<double> all;
  while (going()) {
    const Clock::time_point begin = Clock::now();
    peer.send("D", "11=ORDER|55=ACME|54=1|38=100|44=101.25|40=2|");
    peer.await(1);
    all.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return all;
}

/// Samples how much of the history's files is in memory, every tenth of a second.
class MemoryWatch {
 public:
  explicit MemoryWatch(std::string journal)
      : journal_(std::move(journal)),
        mapped_before_(mapped()),
        cached_before_(cached()),
        thread_([this] { work(); }) {}

  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  ~MemoryWatch() {
    stop_ = true;
    thread_.join();
  }

  void print() const {
    std::printf(
        "  of the history in this process: %.1f MB before, %.1f MB at most meanwhile; in the "
        "system's cache: %.1f MB, %.1f MB\n",
        mapped_before_, mapped_most_.load(), cached_before_, cached_most_.load());
  }

 private:
  void work() {
    while (!stop_) {
      mapped_most_ = std::max(mapped_most_.load(), mapped());
      cached_most_ = std::max(cached_most_.load(), cached());
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  [[nodiscard]] double mapped() const {
    std::ifstream maps("/proc/self/smaps");
    double kilobytes = 0;
    bool ours = false;
    for (std::string line; std::getline(maps, line);) {
      // A mapping's line ends with its file; the lines after it begin with a name and a colon.
      if (line.find(':') == std::string::npos || line.find('/') != std::string::npos) {
        ours = line.find(journal_) != std::string::npos;
      } else if (ours && line.starts_with("Rss:")) {
        kilobytes += std::strtod(line.c_str() + sizeof("Rss:"), nullptr);
      }
    }
    return kilobytes * 1024 / 1e6;
  }

  [[nodiscard]] double cached() const {
    std::size_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(journal_)) {
      bytes += support::resident_bytes(entry.path());
    }
    return static_cast<double>(bytes) / 1e6;
  }

  std::string journal_;
  const double mapped_before_;
  const double cached_before_;
  std::atomic<double> mapped_most_{0};
  std::atomic<double> cached_most_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

double print(const char* name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&values](double part) {
    const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    return values[std::min(place, values.size() - 1)];
  };
  std::printf("  %-10s %9zu %9.0f %9.0f %9.0f %9.0f %9.0f\n", name, values.size(), at(0), at(0.5),
              at(0.99), at(0.999), at(1));
  return at(0.99);
}

void run(const Arguments& arguments) {
  const TemporaryDirectory directory;
  const config::Configuration settings = configuration(directory.path());
  make_history(settings, arguments);
  Venue application;
  const std::unique_ptr<engine::Engine> venue = open_engine(settings, application);
  std::int64_t blocks_read = 0;
  std::int64_t major_faults = 0;
  std::thread worker([&] {
    const support::ThreadReads before = support::thread_reads();
    venue->run();
    const support::ThreadReads after = support::thread_reads();
    blocks_read = after.blocks - before.blocks;
    major_faults = after.major_faults - before.major_faults;
  });
  const std::uint16_t port = venue->listening_addresses().front().port();
  Peer live("LIVE", port);
  live.log_on();
  Peer firm("FIRM", port);
  firm.log_on();

  const auto quiet_until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(arguments.before_seconds));
  const std::vector<double> before = round_trips(live, [&] { return Clock::now() < quiet_until; });

  std::atomic<bool> resent{false};
  MemoryWatch memory(std::string(venue->session("FIRM").journal_directory()));
  const Clock::time_point asked = Clock::now();
  std::thread reader([&] {
    firm.send("2", "7=1|16=" + std::to_string(arguments.messages) + "|");
    firm.await(arguments.messages);
    resent = true;
  });
  const std::vector<double> during = round_trips(live, [&] { return !resent.load(); });
  const double seconds = std::chrono::duration<double>(Clock::now() - asked).count();
  reader.join();
  venue->request_stop();
  worker.join();

  std::printf("  round trip of the other session, us\n  %-10s %9s %9s %9s %9s %9s %9s\n", "", "n",
              "min", "median", "p99", "p99.9", "max");
  const double p99_before = print("before", before);
  const double p99_during = print("meanwhile", during);
  std::printf("  p99 meanwhile / before: %.2f\n", p99_during / p99_before);
  std::printf("  resent in %.2f s, %.0f messages/s\n", seconds,
              static_cast<double>(arguments.messages) / seconds);
  memory.print();
  std::printf("  read from the disk by the worker's thread: %lld blocks, %lld major faults\n",
              static_cast<long long>(blocks_read), static_cast<long long>(major_faults));
}

}  // namespace
}  // namespace affix_bench

int main(int argc, char** argv) {
  affix_bench::run(affix_bench::parse(argc, argv));
}
