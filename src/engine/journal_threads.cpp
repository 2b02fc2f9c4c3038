// SPDX-License-Identifier: MIT
// Loops of both threads.
#include "engine/journal_threads.hpp"

#include "affix/base/time.hpp"
#include "affix/os/thread_precedence.hpp"

#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <time.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Maximum sleep without a request.
constexpr std::int64_t longest_sleep_ns = base::ns_per_second;

/// The same if the system had no descriptor for a waker.
constexpr std::int64_t unwoken_sleep_ns = base::ns_per_ms;

}  // namespace

PreparationThread::PreparationThread(Workers workers, Registrar& registrar)
    : workers_(std::move(workers)), registrar_(registrar), thread_([this] { work(); }) {}

PreparationThread::~PreparationThread() {
  stop_.store(true, std::memory_order_relaxed);
  ask();
  thread_.join();
}

void PreparationThread::ask() noexcept {
  requests_.fetch_add(1, std::memory_order_release);
  requests_.notify_one();
}

void PreparationThread::work() {
  os::name_this_thread("affix-journal");
  // Its results are needed only half a segment later.
  os::give_way_to_workers();
  std::uint32_t seen = 0;
  while (!stop_.load(std::memory_order_relaxed)) {
    requests_.wait(seen, std::memory_order_acquire);
    seen = requests_.load(std::memory_order_acquire);
    while (prepare_some() && !stop_.load(std::memory_order_relaxed)) {
    }
    registrar_.tend();
  }
}

/// A little for each session in turn, so that an urgent one does not wait for all of another's.
bool PreparationThread::prepare_some() {
  bool did = false;
  for (Worker* worker : workers_) {
    did = worker->journals().prepare() || did;
  }
  return did;
}

FlushThread::FlushThread(Workers workers) : workers_(std::move(workers)) {
  static_cast<void>(waker_.open());  // Without it, sleeps are shorter.
  for (Worker* worker : workers_) {
    worker->journals().set_flush_waker(&waker_);
  }
  thread_ = std::thread([this] { work(); });
}

FlushThread::~FlushThread() {
  for (Worker* worker : workers_) {
    worker->journals().set_flush_waker(nullptr);
  }
  stop_.store(true, std::memory_order_relaxed);
  waker_.wake();
  thread_.join();
}

std::int64_t FlushThread::flush_all() {
  std::int64_t sleep_ns = waker_.fd() >= 0 ? longest_sleep_ns : unwoken_sleep_ns;
  for (Worker* worker : workers_) {
    worker->journals().flush();
    sleep_ns = std::min(sleep_ns, worker->journals().flush_pause_ns());
  }
  return sleep_ns;
}

/// No thread waits for a flush of group journals, so it gives way to messages. A flush that a
/// session's output waits for does not give way to other sessions' messages.
void FlushThread::take_place() noexcept {
  const bool is_awaited = std::any_of(workers_.begin(), workers_.end(), [](Worker* worker) {
    return worker->journals().awaits_flushes();
  });
  if (is_awaited == is_awaited_) {
    return;
  }
  is_awaited_ = is_awaited;
  if (is_awaited) {
    os::wake_at_once();
  } else {
    os::wake_behind_workers();
  }
}

void FlushThread::work() {
  os::name_this_thread("affix-flush");
  while (!stop_.load(std::memory_order_relaxed)) {
    take_place();
    waker_.block(flush_all());
    for (Worker* worker : workers_) {
      worker->journals().end_flush_rest();
    }
  }
}

}  // namespace affix::inline v0::engine
