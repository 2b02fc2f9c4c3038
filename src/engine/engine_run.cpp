// SPDX-License-Identifier: MIT
// Runs an engine on its own threads: one for each worker, one for the listeners when there are
// several workers, and those that keep disk waits away from messages.
#include "affix/engine/engine.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/no_cancellation.hpp"
#include "affix/os/thread_precedence.hpp"

#include "engine/acceptor.hpp"
#include "engine/callback_thread.hpp"
#include "engine/failover_threads.hpp"
#include "engine/journal_threads.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"
#include "os/cores.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <optional>
#include <thread>
#include <vector>

namespace affix::inline v0::engine {

namespace {

/// Maximum time between two looks at stop requests, in case a signal handler's wake is
/// missed.
constexpr std::int64_t longest_wait_ns = base::ns_per_second;

/// Pause between two looks at what callback threads send after the workers' last turns: long enough
/// to leave them the processor, and far shorter than a stop takes.
constexpr timespec between_late_looks{.tv_sec = 0, .tv_nsec = base::ns_per_ms};

}  // namespace

bool Engine::run() noexcept {
  const Workers workers = all_workers();
  // From before the workers' threads until after their end, so that a logout's messages are stored
  // and flushed like all others.
  PreparationThread preparation(workers, *registrar_);
  const FlushThread flushing(workers);
  NameThread names(client_addresses());
  for (Worker* worker : workers) {
    worker->set_name_thread(&names);
  }
  std::vector<std::thread> threads;
  for (Worker* worker : workers) {
    if (worker != workers.front()) {
      threads.emplace_back([this, worker, &preparation] {
        os::name_this_thread("affix-worker");
        run_worker(*worker, preparation);
      });
    }
  }
  if (acceptor_ != nullptr) {
    threads.emplace_back([this, &preparation] {
      os::name_this_thread("affix-accept");
      run_acceptor(preparation);
    });
  }
  std::vector<std::thread> callback_threads;
  std::atomic<std::size_t> callbacks_running{callback_threads_.size()};
  for (std::size_t number = 0; number < callback_threads_.size(); ++number) {
    callback_threads.emplace_back([this, number, &callbacks_running] {
      os::name_this_thread("affix-callback");
      run_callbacks(number);
      callbacks_running.fetch_sub(1, std::memory_order_relaxed);  // Joining orders the rest.
    });
  }
  std::optional<FailoverThreads> failover;
  if (failover_ != nullptr) {
    failover.emplace(*failover_);
  }
  run_worker(*workers.front(), preparation);
  for (std::thread& thread : threads) {
    thread.join();
  }
  failover.reset();
  // Callback threads receive every logout; the marks of their last messages are set here.
  callbacks_stop_.store(true, std::memory_order_release);
  for (const auto& thread : callback_threads_) {
    thread->waker().wake();
  }
  // They may have a backlog, and an application that waits for room in its sender's queue must find
  // some: the workers' threads, which would make it, have ended.
  while (callbacks_running.load(std::memory_order_relaxed) != 0) {
    for (Worker* worker : workers) {
      worker->take_late_reported();
    }
    static_cast<void>(::nanosleep(&between_late_looks, nullptr));
  }
  for (std::thread& thread : callback_threads) {
    thread.join();
  }
  for (Worker* worker : workers) {
    worker->take_last_reported();
    worker->set_name_thread(nullptr);
  }
  return leave_.load(std::memory_order_relaxed) ||
         std::all_of(workers.begin(), workers.end(),
                     [](const Worker* worker) { return worker->all_down(); });
}

void Engine::run_callbacks(std::size_t thread) noexcept {
  CallbackThread& callbacks = *callback_threads_[thread];
  const os::NoCancellation no_cancellation;
  while (!callbacks_stop_.load(std::memory_order_acquire)) {
    callbacks.poll(os::now().steady_ns + longest_wait_ns);
  }
  while (callbacks.poll(0)) {
  }
}

void Engine::run_worker(Worker& worker, PreparationThread& preparation) noexcept {
  static_cast<void>(os::pin_this_thread(worker.core()));
  const os::NoCancellation no_cancellation;
  worker.read_clock();
  const auto turn = [&](std::int64_t wait_until_ns) {
    worker.turn(wait_until_ns);
    if (worker.take_preparation_request()) {
      preparation.ask();
    }
  };
  while (!stop_.load(std::memory_order_acquire)) {
    // The last turn's clock reading is exact enough, and saves one.
    turn(worker.last_reading_ns() + longest_wait_ns);
  }
  if (leave_.load(std::memory_order_relaxed)) {
    return;
  }
  worker.finish({});
  const std::int64_t deadline_ns = worker.steady_ns() + finish_ns_;
  while (!worker.all_down() && worker.steady_ns() < deadline_ns) {
    turn(std::min(deadline_ns, worker.steady_ns() + longest_wait_ns));
  }
}

void Engine::run_acceptor(PreparationThread& preparation) noexcept {
  static_cast<void>(os::pin_this_thread(acceptor_core_));
  const os::NoCancellation no_cancellation;
  while (!stop_.load(std::memory_order_relaxed)) {
    acceptor_->poll(acceptor_->steady_ns() + longest_wait_ns);
    if (acceptor_->gate().requests().take_notice()) {
      preparation.ask();
    }
  }
  acceptor_->finish();
}

void Engine::request_leave() noexcept {
  leave_.store(true, std::memory_order_relaxed);
  request_stop();
}

void Engine::request_stop() noexcept {
  stop_.store(true, std::memory_order_release);
  wake();
  if (acceptor_ != nullptr) {
    acceptor_->waker().wake();
  }
}

}  // namespace affix::inline v0::engine
