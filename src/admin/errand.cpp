// SPDX-License-Identifier: MIT
// Claims, withdrawals, and the thread that waits for the disk.
#include "admin/errand.hpp"

#include "affix/os/thread_precedence.hpp"

#include <utility>

namespace affix::inline v0::admin {

void Errand::begin(std::function<void()> work) {
  work_ = std::move(work);
  held_ = true;
  // Release: the claiming thread sees the work.
  state_.store(State::Waiting, std::memory_order_release);
}

void Errand::cancel() noexcept {
  held_ = false;
  state_.store(State::Free, std::memory_order_relaxed);
}

bool Errand::withdraw() noexcept {
  State expected = State::Waiting;
  return state_.compare_exchange_strong(expected, State::Withdrawn, std::memory_order_acq_rel);
}

bool Errand::reusable() const noexcept {
  const State now = state();
  return !held_ && (now == State::Free || now == State::Done || now == State::Dropped);
}

void Errand::carry_out() noexcept {
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

void Errand::on_worker(host::SessionHandle session, void* context) noexcept {
  static_cast<void>(session);
  static_cast<Errand*>(context)->carry_out();
}

Errand* ErrandBook::begin(std::function<void()> work) {
  for (const std::unique_ptr<Errand>& errand : errands_) {
    if (errand->reusable()) {
      errand->begin(std::move(work));
      return errand.get();
    }
  }
  if (errands_.size() == errands_max) {
    return nullptr;
  }
  errands_.push_back(std::make_unique<Errand>(waker_));
  errands_.back()->begin(std::move(work));
  return errands_.back().get();
}

ErrandThread::ErrandThread() : thread_([this] { run(); }) {}

ErrandThread::~ErrandThread() {
  {
    const std::lock_guard guard(mutex_);
    stop_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void ErrandThread::give(Errand& errand) {
  {
    const std::lock_guard guard(mutex_);
    errands_.push_back(&errand);
  }
  news_.notify_one();
}

void ErrandThread::run() {
  os::name_this_thread("affix-errands");
  os::give_way_to_workers();
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [this] { return stop_ || !errands_.empty(); });
    if (stop_) {
      return;
    }
    Errand& errand = *errands_.front();
    errands_.pop_front();
    lock.unlock();
    errand.carry_out();
    lock.lock();
  }
}

}  // namespace affix::inline v0::admin
