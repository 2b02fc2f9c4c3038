// SPDX-License-Identifier: MIT
// The engine's life: opening, driving, and ending in order.
#include "affix/engine/engine.hpp"

#include "engine/journal_threads.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <thread>

namespace affix::inline v0::engine {

namespace {

/// How long run() lets sessions take to log out before it closes what is left.
constexpr std::int64_t finish_ns = 10 * base::ns_per_second;

/// A look at stop requests at least this often, should a wake be missed by a signal handler's
/// timing.
constexpr std::int64_t longest_wait_ns = base::ns_per_second;

void pin_this_thread(std::int64_t core) noexcept {
  if (core < 0 || core >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  // Fails where the process may not use that core; it then runs where it may.
  static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores));
}

}  // namespace

Engine::Engine(std::unique_ptr<Worker> worker) : worker_(std::move(worker)) {}

Engine::~Engine() = default;

std::expected<std::unique_ptr<Engine>, Problems> Engine::open(const Configuration& configuration,
                                                              Application& application) {
  return open(configuration, application, nullptr);
}

std::expected<std::unique_ptr<Engine>, Problems> Engine::open(
    const Configuration& configuration, Application& application,
    std::unique_ptr<net::Reactor> reactor) {
  if (configuration.engine.lock_pages && ::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    return std::unexpected(
        Problems{base::make_system_error("mlockall", errno, "[ENGINE] lock_pages")});
  }
  auto worker = Worker::open(configuration, application, std::move(reactor));
  if (!worker) {
    return std::unexpected(std::move(worker.error()));
  }
  return std::unique_ptr<Engine>(new Engine(std::move(*worker)));
}

net::ReactorOptions Engine::reactor_options(const Configuration& configuration) {
  return engine::reactor_options(configuration);
}

void Engine::abandon() noexcept {
  worker_->abandon();
}

bool Engine::poll(std::int64_t wait_until_ns) noexcept {
  return worker_->poll(wait_until_ns);
}

bool Engine::prepare_journals() noexcept {
  const bool prepared = worker_->prepare_journals();
  return worker_->flush_journals() || prepared;
}

bool Engine::flush_journals() noexcept {
  return worker_->flush_journals();
}

void Engine::run() noexcept {
  pin_this_thread(worker_->core());
  {
    PreparationThread preparation(*worker_);
    const FlushThread flushing(*worker_);
    while (!stop_.load(std::memory_order_relaxed)) {
      worker_->poll(worker_->steady_ns() + longest_wait_ns);
      if (worker_->take_preparation_request()) {
        preparation.ask();
      }
    }
  }
  finish({}, worker_->steady_ns() + finish_ns);
}

void Engine::request_stop() noexcept {
  stop_.store(true, std::memory_order_relaxed);
  worker_->waker().wake();
}

void Engine::wake() noexcept {
  worker_->waker().wake();
}

bool Engine::finish(std::string_view text, std::int64_t deadline_ns) noexcept {
  worker_->finish(text);
  while (!worker_->all_down()) {
    if (worker_->steady_ns() >= deadline_ns) {
      return false;
    }
    worker_->poll(deadline_ns);
    prepare_journals();
  }
  return true;
}

const std::vector<SessionHandle>& Engine::sessions() const noexcept {
  return worker_->handles();
}

SessionHandle Engine::session(std::string_view name) const noexcept {
  const std::vector<SessionHandle>& handles = worker_->handles();
  const auto found = std::find_if(handles.begin(), handles.end(),
                                  [name](SessionHandle handle) { return handle.name() == name; });
  return found == handles.end() ? SessionHandle() : *found;
}

const std::vector<net::Address>& Engine::listening_addresses() const noexcept {
  return worker_->listening_addresses();
}

}  // namespace affix::inline v0::engine
