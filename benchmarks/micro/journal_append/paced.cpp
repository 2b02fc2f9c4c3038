// SPDX-License-Identifier: MIT
// Orders at 10,000 a second, each a received and a sent message, from a writer that shares its
// processor with the preparing thread, or has its own: measures how late each is stored, in steady
// state and in the two seconds after a burst.
#include "benchmarks.hpp"
#include "stamp_counter.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace affix_bench {

namespace {

namespace journal = affix::journal;

constexpr double interval_ns = 100'000;
constexpr std::size_t turn_orders = 20'000;
constexpr std::size_t burst_orders = 800'000;

void pin(pthread_t thread, int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(processor), &one);
  pthread_setaffinity_np(thread, sizeof one, &one);
}

/// Like the engine's preparing thread.
void give_way() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5);
}

enum class Wait { Sleeping, Spinning };

/// The work of the engine's preparing thread, for one journal.
class Preparer {
 public:
  Preparer(EndlessJournal& journal, int processor)
      : journal_(journal), thread_([this] { work(); }) {
    pin(thread_.native_handle(), processor);
  }

  Preparer(const Preparer&) = delete;
  Preparer& operator=(const Preparer&) = delete;

  ~Preparer() {
    stop_ = true;
    ask();
    thread_.join();
  }

  void ask() {
    requests_.fetch_add(1, std::memory_order_release);
    requests_.notify_one();
  }

 private:
  void work() {
    give_way();
    std::uint32_t seen = 0;
    while (!stop_) {
      requests_.wait(seen, std::memory_order_acquire);
      seen = requests_.load(std::memory_order_acquire);
      while (!stop_ && journal_.journal().needs_preparation()) {
        if (!journal_.journal().prepare()) {
          std::fprintf(stderr, "the journal cannot be prepared\n");
          std::exit(2);
        }
        std::this_thread::yield();
      }
      journal_.forget();
    }
  }

  EndlessJournal& journal_;
  std::atomic<std::uint32_t> requests_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

struct Paced {
  std::string name;
  EndlessJournal* journal;
  int beside;  ///< Processor of the preparing thread.
  std::vector<float> steady = {};
  std::vector<float> after_burst = {};
  std::int64_t faults = 0;
};

std::int64_t faults_of_this_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

void sleep_until(const timespec& begin, double ns) {
  timespec until = begin;
  until.tv_nsec += static_cast<long>(ns) % 1'000'000'000;
  until.tv_sec += static_cast<long>(ns) / 1'000'000'000 + until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

void run_turn(Paced& paced, Preparer& preparer, Wait wait, const StampCounter& counter,
              std::vector<float>& late) {
  timespec begin_time{};
  clock_gettime(CLOCK_MONOTONIC, &begin_time);
  const std::int64_t begin = StampCounter::now();
  for (std::size_t at = 0; at < turn_orders; ++at) {
    const double due_ns = static_cast<double>(at) * interval_ns;
    const std::int64_t due = begin + counter.ticks_of(due_ns);
    if (wait == Wait::Sleeping && StampCounter::now() < due) {
      sleep_until(begin_time, due_ns);
    }
    while (StampCounter::now() < due) {
    }
    paced.journal->append_order();
    if (paced.journal->journal().needs_preparation()) {
      preparer.ask();
    }
    late.push_back(static_cast<float>(counter.ns_of(StampCounter::now() - due)));
  }
}

}  // namespace

void run_paced(const TemporaryDirectory& directory, const Options& options,
               std::vector<std::string>& json) {
  prctl(PR_SET_TIMERSLACK, 1UL);
  pin(pthread_self(), 1);
  const StampCounter counter;
  const std::size_t turns = options.quick ? 3 : 8;
  EndlessJournal memory(directory.path("paced-memory"), journal::Durability::Memory);
  EndlessJournal alone(directory.path("paced-alone"), journal::Durability::Process);
  EndlessJournal beside(directory.path("paced-beside"), journal::Durability::Process);
  for (const auto& [wait, word] :
       {std::pair{Wait::Sleeping, "sleeping"}, std::pair{Wait::Spinning, "spinning"}}) {
    std::vector<Paced> contenders;
    contenders.push_back({std::string("memory"), &memory, 1});
    contenders.push_back({std::string("one-core"), &alone, 1});
    contenders.push_back({std::string("two-cores"), &beside, 0});
    for (Paced& paced : contenders) {
      paced.steady.resize(turns * turn_orders);
      paced.steady.clear();
      paced.after_burst.resize(turn_orders);
      paced.after_burst.clear();
    }
    for (Paced& paced : contenders) {
      Preparer preparer(*paced.journal, paced.beside);
      for (std::size_t at = 0; at < burst_orders; ++at) {
        paced.journal->append_order();
        if (paced.journal->journal().needs_preparation()) {
          preparer.ask();
        }
      }
      run_turn(paced, preparer, wait, counter, paced.after_burst);
    }
    for (std::size_t turn = 0; turn < turns; ++turn) {
      for (Paced& paced : contenders) {
        Preparer preparer(*paced.journal, paced.beside);
        const std::int64_t before = faults_of_this_thread();
        run_turn(paced, preparer, wait, counter, paced.steady);
        paced.faults += faults_of_this_thread() - before;
      }
    }
    std::printf(
        "\njournal_paced: orders at 10,000 a second, writer %s; then the two seconds after a burst "
        "of %zu\n  %-24s %9s %9s %9s %9s %9s %11s\n",
        word, burst_orders, "ns", "min", "median", "p90", "p99", "p99.9", "max");
    for (Paced& paced : contenders) {
      report_row(std::string("journal_paced_") + word, paced.name, paced.steady, json);
    }
    for (Paced& paced : contenders) {
      report_row(std::string("journal_burst_after-") + word, paced.name, paced.after_burst, json);
    }
    for (const Paced& paced : contenders) {
      std::printf(
          "  %-24s %lld page faults of the writer, steady; %llu appends prepared themselves\n",
          paced.name.c_str(), static_cast<long long>(paced.faults),
          static_cast<unsigned long long>(paced.journal->journal().stalls()));
    }
  }
}

}  // namespace affix_bench
