// SPDX-License-Identifier: MIT
// Claims, withdrawals, and the thread that waits for the disk.
#include "admin/worker_task.hpp"

#include "affix/os/thread_precedence.hpp"

#include <utility>

namespace affix::inline v0::admin {

void WorkerTask::begin(std::function<void()> work) {
  work_ = std::move(work);
  held_ = true;
  // Release: the claiming thread sees the work.
  state_.store(State::Waiting, std::memory_order_release);
}

void WorkerTask::cancel() noexcept {
  held_ = false;
  state_.store(State::Free, std::memory_order_relaxed);
}

bool WorkerTask::withdraw() noexcept {
  State expected = State::Waiting;
  return state_.compare_exchange_strong(expected, State::Withdrawn, std::memory_order_acq_rel);
}

bool WorkerTask::reusable() const noexcept {
  const State now = state();
  return !held_ && (now == State::Free || now == State::Done || now == State::Dropped);
}

void WorkerTask::carry_out() noexcept {
  State expected = State::Waiting;
  if (state_.compare_exchange_strong(expected, State::Claimed, std::memory_order_acq_rel)) {
    work_();
    // Release: a thread that sees Done sees the work's results. The waker is the port's, which
    // outlives every thread that comes here.
    state_.store(State::Done, std::memory_order_release);
    waker_.wake();
  } else {
    state_.store(State::Dropped, std::memory_order_release);
  }
}

void WorkerTask::on_worker(host::SessionHandle /*session*/, void* context) noexcept {
  static_cast<WorkerTask*>(context)->carry_out();
}

WorkerTask* TaskBook::begin(std::function<void()> work) {
  for (const std::unique_ptr<WorkerTask>& task : tasks_) {
    if (task->reusable()) {
      task->begin(std::move(work));
      return task.get();
    }
  }
  if (tasks_.size() == tasks_max) {
    return nullptr;
  }
  tasks_.push_back(std::make_unique<WorkerTask>(waker_));
  tasks_.back()->begin(std::move(work));
  return tasks_.back().get();
}

TaskThread::TaskThread() : thread_([this] { run(); }) {}

TaskThread::~TaskThread() {
  {
    const std::lock_guard guard(mutex_);
    stop_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void TaskThread::give(WorkerTask& task) {
  {
    const std::lock_guard guard(mutex_);
    tasks_.push_back(&task);
  }
  news_.notify_one();
}

void TaskThread::run() {
  os::name_this_thread("affix-tasks");
  os::give_way_to_workers();
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
    if (stop_) {
      return;
    }
    WorkerTask& task = *tasks_.front();
    tasks_.pop_front();
    lock.unlock();
    task.carry_out();
    lock.lock();
  }
}

}  // namespace affix::inline v0::admin
