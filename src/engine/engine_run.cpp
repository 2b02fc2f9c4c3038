// SPDX-License-Identifier: MIT
// The engine on threads of its own: one for each worker, one for the listeners when there are
// several workers, and those that keep the disk away from messages.
#include "affix/engine/engine.hpp"
#include "affix/net/clock.hpp"
#include "affix/net/no_cancellation.hpp"

#include "engine/acceptor.hpp"
#include "engine/callback_thread.hpp"
#include "engine/cores.hpp"
#include "engine/journal_threads.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace affix::inline v0::engine {

namespace {

/// A look at stop requests at least this often, should a wake be missed by a signal handler's
/// timing.
constexpr std::int64_t longest_wait_ns = base::ns_per_second;

}  // namespace

bool Engine::run() noexcept {
  const Workers workers = all_workers();
  // Before the workers' threads and until they have ended, so that a logout's messages are stored
  // and flushed as any other.
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
        name_this_thread("affix-worker");
        run_worker(*worker, preparation);
      });
    }
  }
  if (acceptor_ != nullptr) {
    threads.emplace_back([this, &preparation] {
      name_this_thread("affix-accept");
      run_acceptor(preparation);
    });
  }
  std::vector<std::thread> callback_threads;
  for (std::size_t number = 0; number < callback_threads_.size(); ++number) {
    callback_threads.emplace_back([this, number] {
      name_this_thread("affix-callback");
      run_callbacks(number);
    });
  }
  run_worker(*workers.front(), preparation);
  for (std::thread& thread : threads) {
    thread.join();
  }
  // They hear of every logout; what they have processed since is marked here.
  callbacks_stop_.store(true, std::memory_order_release);
  for (const auto& thread : callback_threads_) {
    thread->waker().wake();
  }
  for (std::thread& thread : callback_threads) {
    thread.join();
  }
  for (Worker* worker : workers) {
    worker->take_last_told();
    worker->set_name_thread(nullptr);
  }
  return std::all_of(workers.begin(), workers.end(),
                     [](const Worker* worker) { return worker->all_down(); });
}

void Engine::run_callbacks(std::size_t thread) noexcept {
  CallbackThread& callbacks = *callback_threads_[thread];
  const net::NoCancellation no_cancellation;
  while (!callbacks_stop_.load(std::memory_order_acquire)) {
    callbacks.poll(net::now().steady_ns + longest_wait_ns);
  }
  while (callbacks.poll(0)) {
  }
}

void Engine::run_worker(Worker& worker, PreparationThread& preparation) noexcept {
  static_cast<void>(pin_this_thread(worker.core()));
  const net::NoCancellation no_cancellation;
  worker.read_clock();
  const auto turn = [&](std::int64_t wait_until_ns) {
    worker.turn(wait_until_ns);
    if (worker.take_preparation_request()) {
      preparation.ask();
    }
  };
  while (!stop_.load(std::memory_order_relaxed)) {
    // The last turn's reading will do, and spares one.
    turn(worker.last_reading_ns() + longest_wait_ns);
  }
  worker.finish({});
  const std::int64_t deadline_ns = worker.steady_ns() + finish_ns_;
  while (!worker.all_down() && worker.steady_ns() < deadline_ns) {
    turn(std::min(deadline_ns, worker.steady_ns() + longest_wait_ns));
  }
}

void Engine::run_acceptor(PreparationThread& preparation) noexcept {
  static_cast<void>(pin_this_thread(acceptor_core_));
  const net::NoCancellation no_cancellation;
  while (!stop_.load(std::memory_order_relaxed)) {
    acceptor_->poll(acceptor_->steady_ns() + longest_wait_ns);
    if (acceptor_->gate().take_wish_notice()) {
      preparation.ask();
    }
  }
  acceptor_->finish();
}

void Engine::request_stop() noexcept {
  stop_.store(true, std::memory_order_relaxed);
  wake();
  if (acceptor_ != nullptr) {
    acceptor_->waker().wake();
  }
}

}  // namespace affix::inline v0::engine
