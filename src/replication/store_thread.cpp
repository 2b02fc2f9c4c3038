// SPDX-License-Identifier: MIT
// The lock is held for moments only: no call of the owner waits for a disk or a network.
#include "replication/store_thread.hpp"

#include "affix/os/thread_precedence.hpp"

#include <chrono>
#include <csignal>
#include <utility>

namespace affix::inline v0::replication {

namespace {

/// Signals are for the program's own threads.
class WithoutSignals {
 public:
  WithoutSignals() noexcept {
    sigset_t all{};
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }

  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

Answer failure(const StoreRequest& request, Outcome outcome, base::Error error) {
  return {.group = request.group,
          .kind = answer_to(request.kind),
          .outcome = outcome,
          .error = std::move(error)};
}

StoreThread::StoreThread(std::unique_ptr<BlockingStore> requests,
                         std::unique_ptr<BlockingStore> watch, std::int64_t watch_ns,
                         std::string place)
    : requests_store_(std::move(requests)),
      watch_store_(std::move(watch)),
      watch_ns_(watch_ns),
      place_(std::move(place)) {
  const WithoutSignals none;
  request_thread_ = std::thread([this] { carry_out_requests(); });
  watch_thread_ = std::thread([this] { look_for_changes(); });
}

StoreThread::~StoreThread() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  asked_.notify_all();
  watched_.notify_all();
  requests_store_->interrupt();
  watch_store_->interrupt();
  request_thread_.join();
  watch_thread_.join();
}

void StoreThread::ask(StoreRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    requests_.push_back(std::move(request));
  }
  asked_.notify_one();
}

void StoreThread::watch(std::string_view group) {
  {
    const std::scoped_lock lock(mutex_);
    told_.try_emplace(std::string(group));
  }
  watched_.notify_one();
}

std::optional<Answer> StoreThread::take() {
  const std::scoped_lock lock(mutex_);
  if (answers_.empty()) {
    return std::nullopt;
  }
  std::optional<Answer> answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

void StoreThread::wake_with(net::Waker* waker) {
  const std::scoped_lock lock(mutex_);
  waker_ = waker;
}

void StoreThread::carry_out_requests() {
  os::name_this_thread("affix-election");
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [&] { return is_ending_ || !requests_.empty(); });
    if (is_ending_) {
      return;
    }
    const StoreRequest request = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    Answer answer = requests_store_->carry_out(request);
    lock.lock();
    deliver(std::move(answer));
  }
}

void StoreThread::look_for_changes() {
  os::name_this_thread("affix-watch");
  std::unique_lock lock(mutex_);
  std::size_t looked_at = 0;
  while (true) {
    // A group that is new is looked at at once.
    watched_.wait_for(lock, std::chrono::nanoseconds(watch_ns_),
                      [&] { return is_ending_ || told_.size() != looked_at; });
    if (is_ending_) {
      return;
    }
    std::vector<std::string> groups;
    for (const auto& [group, revision] : told_) {
      groups.push_back(group);
    }
    looked_at = groups.size();
    if (groups.empty()) {
      continue;
    }
    lock.unlock();
    std::vector<Answer> answers = watch_store_->read_all(groups);
    lock.lock();
    for (Answer& answer : answers) {
      std::optional<std::uint64_t>& told = told_[answer.group];
      if (answer.outcome == Outcome::Done && told != answer.revision) {
        told = answer.revision;
        answer.kind = AnswerKind::Changed;
        deliver(std::move(answer));
      }
    }
  }
}

/// With the lock.
void StoreThread::deliver(Answer answer) {
  answers_.push_back(std::move(answer));
  if (waker_ != nullptr) {
    waker_->wake();
  }
}

}  // namespace affix::inline v0::replication
