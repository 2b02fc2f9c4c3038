// SPDX-License-Identifier: MIT
// Two workers on two threads, a session on each: neither writes a cache line that the other writes,
// and neither takes a lock. Compares every line of the process's memory, so that the test needs no
// knowledge of its layout.
#include "support/engine_case.hpp"
#include "support/written_lines.hpp"

#include <array>
#include <dlfcn.h>
#include <iterator>
#include <pthread.h>
#include <semaphore.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AFFIX_TEST_OWN_MEMORY 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AFFIX_TEST_OWN_MEMORY 1
#endif

namespace {

/// Locks taken by this thread.
thread_local std::uint64_t locks = 0;

}  // namespace

#ifndef AFFIX_TEST_OWN_MEMORY
// A program's own definitions take precedence over the C library's.
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const auto original =
      reinterpret_cast<int (*)(pthread_mutex_t*)>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return original(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static const auto original =
      reinterpret_cast<int (*)(pthread_mutex_t*)>(::dlsym(RTLD_NEXT, "pthread_mutex_trylock"));
  ++locks;
  return original(mutex);
}
}
#endif

namespace affix::support {
namespace {

constexpr int workers = 2;
constexpr int orders = 40;
constexpr int orders_before = 200;

/// Answers orders. Counts per worker, except for one counter that both write when a test needs a
/// finding.
class Answering final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& order,
                  const host::Delivery& delivery) noexcept override {
    Part& part = parts[session.worker()];
    wire::Encoder report = session.begin("8");
    report.integer(37, delivery.sequence);
    report.text(11, order.value_or_null(11));
    report.text(55, "ACME");
    part.answered += session.commit(report).sent() ? 1U : 0U;
    if (shares) {
      ++shared;
    }
  }

  struct alignas(base::cache_line) Part {
    std::uint64_t answered = 0;
  };

  std::array<Part, workers> parts;
  bool shares = false;
  alignas(base::cache_line) std::uint64_t shared = 0;
};

/// Counts received messages.
class Counting final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    ++received;
  }

  std::uint64_t received = 0;
};

/// A thread that drives one worker on request, and waits in between. Data shared with the test is
/// on its own cache lines.
class Driver {
 public:
  Driver(engine::WorkerHandle worker, char* memory) : turn_(new(memory) Turn) {
    ::sem_init(&turn_->go, 0, 0);
    ::sem_init(&turn_->done, 0, 0);
    thread_ = std::thread([worker, turn = turn_] {
      for (;;) {
        wait_for(turn->go);
        if (turn->stop) {
          return;
        }
        const std::uint64_t before = locks;
        for (int poll = 0; poll < polls; ++poll) {
          worker.poll(0);
        }
        turn->locks = locks - before;
        ::sem_post(&turn->done);
      }
    });
  }

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  ~Driver() {
    turn_->stop = true;
    ::sem_post(&turn_->go);
    thread_.join();
  }

  /// Runs some polls; returns the number of locks taken.
  std::uint64_t turn() {
    ::sem_post(&turn_->go);
    wait_for(turn_->done);
    return turn_->locks;
  }

  /// Its stack and thread-local data: it goes to sleep after it has reported the end.
  void leave_out_of(WrittenLines& lines) {
    pthread_attr_t attributes;
    ASSERT_EQ(::pthread_getattr_np(thread_.native_handle(), &attributes), 0);
    void* stack = nullptr;
    std::size_t size = 0;
    ASSERT_EQ(::pthread_attr_getstack(&attributes, &stack, &size), 0);
    lines.leave_out(stack, size);
    ::pthread_attr_destroy(&attributes);
  }

  static constexpr std::size_t memory_bytes = 4096;

 private:
  // One reads the order, another sends the report if it was delayed.
  static constexpr int polls = 3;

  struct Turn {
    sem_t go;
    sem_t done;
    std::uint64_t locks = 0;
    bool stop = false;
  };

  static void wait_for(sem_t& semaphore) {
    while (::sem_wait(&semaphore) != 0) {
    }
  }

  Turn* turn_;
  std::thread thread_;
};

class EngineApartWorkers : public testing::Test {
 protected:
  void SetUp() override {
#ifdef AFFIX_TEST_OWN_MEMORY
    GTEST_SKIP() << "sanitizers keep books of their own in memory, and bring their own locks";
#endif
    config::Configuration venue_settings = acceptor_configuration();
    venue_settings.servers.front().worker_thread_count = workers;
    for (const char* peer : {"A", "B"}) {
      add_session(venue_settings, "VENUE", peer, directory_.path("venue")).worker = *peer - 'A';
    }
    venue_ = open_engine(venue_settings, venue_application_);
    ASSERT_TRUE(venue_);
    for (std::size_t number = 0; number < workers; ++number) {
      drivers_.push_back(std::make_unique<Driver>(venue_->worker(number),
                                                  batons_.bytes() + number * Driver::memory_bytes));
    }
    lines_.leave_out(batons_.bytes(), batons_.size());
    for (const auto& driver : drivers_) {
      driver->leave_out_of(lines_);
    }
    config::Configuration firm_settings = initiator_configuration(port_of(*venue_));
    for (const char* name : {"A", "B"}) {
      add_session(firm_settings, name, "VENUE", directory_.path("firm")).name = name;
    }
    firm_ = open_engine(firm_settings, firm_application_);
    ASSERT_TRUE(firm_);
    ASSERT_TRUE(go_on_until(
        [&] { return firm_->session("A").logged_on() && firm_->session("B").logged_on(); }));
    for (int order = 0; order < orders_before; ++order) {
      ASSERT_NO_FATAL_FAILURE(trade(nullptr));
    }
  }

  template <class Holds>
  [[nodiscard]] bool go_on_until(Holds holds) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (!holds()) {
      firm_->poll(0);
      firm_->prepare_journals();
      venue_->poll_acceptor(0);
      venue_->prepare_journals();
      for (const auto& driver : drivers_) {
        driver->turn();
      }
      if (os::now().steady_ns > give_up_ns) {
        return false;
      }
    }
    return true;
  }

  /// Sends an order to each worker, one after the other, each answered; with `written`, records the
  /// lines changed while the worker processed it.
  void trade(std::array<std::vector<std::uintptr_t>, workers>* written) {
    for (std::size_t number = 0; number < workers; ++number) {
      ASSERT_TRUE(send_order(firm_->session(number == 0 ? "A" : "B"), "order").sent());
      const std::uint64_t answered = venue_application_.parts[number].answered;
      const std::uint64_t received = firm_application_.received;
      const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
      while (venue_application_.parts[number].answered == answered) {
        ASSERT_LT(os::now().steady_ns, give_up_ns);
        if (written != nullptr) {
          ASSERT_TRUE(lines_.begin());
        }
        locks_taken_ += drivers_[number]->turn();
        if (written != nullptr) {
          const std::vector<std::uintptr_t> lines = lines_.end();
          std::vector<std::uintptr_t> all;
          std::set_union(lines.begin(), lines.end(), (*written)[number].begin(),
                         (*written)[number].end(), std::back_inserter(all));
          (*written)[number] = std::move(all);
        }
      }
      ASSERT_TRUE(go_on_until([&] { return firm_application_.received > received; }));
    }
  }

  /// Lines that both workers wrote while they traded.
  [[nodiscard]] std::vector<std::uintptr_t> written_by_both() {
    std::array<std::vector<std::uintptr_t>, workers> written;
    for (int order = 0; order < orders && !HasFatalFailure(); ++order) {
      trade(&written);
    }
    for (const std::vector<std::uintptr_t>& lines : written) {
      EXPECT_GT(lines.size(), 10U) << "a message leaves traces: a journal, counters, buffers";
    }
    std::vector<std::uintptr_t> both;
    std::set_intersection(written[0].begin(), written[0].end(), written[1].begin(),
                          written[1].end(), std::back_inserter(both));
    return both;
  }

  TemporaryDirectory directory_;
  MemoryApart batons_{workers * Driver::memory_bytes};
  WrittenLines lines_;
  Answering venue_application_;
  Counting firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
  std::vector<std::unique_ptr<Driver>> drivers_;
  std::uint64_t locks_taken_ = 0;
};

TEST_F(EngineApartWorkers, WriteNoCacheLineInCommon) {
  const std::vector<std::uintptr_t> both = written_by_both();
  for (const std::uintptr_t line : both) {
    ADD_FAILURE() << "both workers write the line at " << std::hex << line << ", in "
                  << WrittenLines::mapping_of(line);
  }
}

TEST_F(EngineApartWorkers, ALineThatBothWriteIsFound) {
  venue_application_.shares = true;
  const std::vector<std::uintptr_t> both = written_by_both();
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both.front(), reinterpret_cast<std::uintptr_t>(&venue_application_.shared));
}

TEST_F(EngineApartWorkers, TakeNoLockForAMessage) {
  locks_taken_ = 0;
  for (int order = 0; order < orders; ++order) {
    ASSERT_NO_FATAL_FAILURE(trade(nullptr));
  }
  EXPECT_EQ(locks_taken_, 0U);
  const std::uint64_t before = locks;
  venue_->prepare_journals();
  EXPECT_GT(locks, before) << "locks are not counted";
}

}  // namespace
}  // namespace affix::support
