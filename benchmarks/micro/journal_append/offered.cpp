// SPDX-License-Identifier: MIT
// Single appends offered at 200,000 a second, each timed, in turns of a second.
#include "benchmarks.hpp"
#include "stamp_counter.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sys/resource.h>
#include <thread>
#include <utility>

namespace affix_bench {

namespace {

constexpr double interval_ns = 5'000;

constexpr std::size_t turn_messages = 200'000;
constexpr std::size_t all_messages = 10'000'000;

struct Offered {
  std::string name;
  std::function<void()> append;
  std::vector<float> service = {};  ///< Duration of one append.
  std::vector<float> waited = {};   ///< From its due time until it was stored.
  std::int64_t faults = 0;          ///< Page faults of this thread during the run.
  std::int64_t switches = 0;        ///< Times that it lost its processor.
};

struct Disturbances {
  std::int64_t faults = 0;
  std::int64_t switches = 0;
};

Disturbances disturbances() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_minflt + usage.ru_majflt, usage.ru_nivcsw};
}

void run_turn(Offered& offered, const StampCounter& counter) {
  const Disturbances before = disturbances();
  const std::int64_t begin = StampCounter::now();
  for (std::size_t at = 0; at < turn_messages; ++at) {
    const std::int64_t due = begin + counter.ticks_of(static_cast<double>(at) * interval_ns);
    std::int64_t started = StampCounter::now();
    while (started < due) {
      started = StampCounter::now();
    }
    offered.append();
    const std::int64_t ended = StampCounter::now();
    offered.service.push_back(static_cast<float>(counter.ns_of(ended - started)));
    offered.waited.push_back(static_cast<float>(counter.ns_of(ended - due)));
  }
  const Disturbances after = disturbances();
  offered.faults += after.faults - before.faults;
  offered.switches += after.switches - before.switches;
}

/// Prepares the journals' segments and flushes, as an engine's threads do.
class Beside {
 public:
  explicit Beside(std::vector<EndlessJournal*> journals)
      : journals_(std::move(journals)), thread_([this] { work(); }) {}

  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  ~Beside() {
    stop_ = true;
    thread_.join();
  }

 private:
  void work() {
    constexpr int flush_interval = 10;  // In milliseconds, and so a number of looks.
    for (int look = 0; !stop_; ++look) {
      for (EndlessJournal* journal : journals_) {
        journal->prepare();
        if (look % flush_interval == 0 && journal->journal().needs_flush()) {
          static_cast<void>(journal->journal().flush());
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::vector<EndlessJournal*> journals_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace

void run_offered(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json) {
  MappedFloor floor(directory.path("offered-floor"));
  EndlessJournal process(directory.path("offered-process"), affix::journal::Durability::Process);
  EndlessJournal group(directory.path("offered-group"), affix::journal::Durability::Group);
  process.grow_up();
  group.grow_up();
  const StampCounter counter;
  PlainFile file(directory.path("offered-plain"));
  std::vector<Offered> contenders;
  // A counter reading costs a third of an append: this row measures it alone.
  contenders.push_back({"clock", [] {}});
  contenders.push_back({"floor", [&] { floor.append(); }});
  contenders.push_back({"process", [&] { process.append(); }});
  contenders.push_back({"group", [&] { group.append(); }});
  contenders.push_back({"write", [&] { file.append(); }});
  const std::size_t turns = options.quick ? 2 : all_messages / turn_messages;
  std::printf(
      "\njournal_offered: single appends at 200,000 a second, %zu of each, in turns of a second; "
      "segments roll\n",
      turns * turn_messages);
  for (Offered& offered : contenders) {
    // Touched, and not only reserved: the first store to a page must not be measured.
    for (std::vector<float>* values : {&offered.service, &offered.waited}) {
      values->resize(turns * turn_messages);
      values->clear();
    }
  }
  {
    const Beside beside({&process, &group});
    for (std::size_t turn = 0; turn < turns; ++turn) {
      for (Offered& offered : contenders) {
        run_turn(offered, counter);
      }
      file.start_over();
    }
  }
  std::printf("  %-24s %9s %9s %9s %9s %9s %11s\n", "ns", "min", "median", "p90", "p99", "p99.9",
              "max");
  for (Offered& offered : contenders) {
    report_row("journal_offered_service", offered.name, offered.service, json);
  }
  for (Offered& offered : contenders) {
    report_row("journal_offered_due", offered.name, offered.waited, json);
  }
  for (const Offered& offered : contenders) {
    std::printf("  %-24s %lld page faults, %lld times taken off its processor\n",
                offered.name.c_str(), static_cast<long long>(offered.faults),
                static_cast<long long>(offered.switches));
  }
  for (const auto& [name, journal] : {std::pair{"process", &process}, std::pair{"group", &group}}) {
    std::printf(
        "  %-24s %llu appends made a segment or reserved numbers themselves, %llu waits for "
        "numbers\n",
        name, static_cast<unsigned long long>(journal->journal().stalls()),
        static_cast<unsigned long long>(journal->reserve_waits()));
  }
}

}  // namespace affix_bench
