// SPDX-License-Identifier: MIT
// Progress of changes, and the caller's view of it.
#include "engine/change_progress.hpp"

#include <chrono>

namespace affix::inline v0::engine {

const char* to_text(ChangeKind kind) noexcept {
  switch (kind) {
    case ChangeKind::Add:
      return "add";
    case ChangeKind::Remove:
      return "remove";
    case ChangeKind::Enable:
      return "enable";
    case ChangeKind::Disable:
      return "disable";
    case ChangeKind::Apply:
      return "apply";
    case ChangeKind::Restart:
      return "restart";
  }
  return "unknown";
}

void ChangeProgress::complete(std::size_t place, bool forced) {
  const std::lock_guard guard(mutex_);
  SessionChange& session = sessions_[place];
  if (session.done) {
    return;
  }
  session.done = true;
  session.forced = forced;
  if (--left_ == 0) {
    changed_.notify_all();
  }
}

bool ChangeProgress::done() const {
  const std::lock_guard guard(mutex_);
  return left_ == 0;
}

bool ChangeProgress::wait(std::int64_t timeout_ns) const {
  std::unique_lock guard(mutex_);
  return changed_.wait_for(guard, std::chrono::nanoseconds(timeout_ns),
                           [this] { return left_ == 0; });
}

std::vector<SessionChange> ChangeProgress::sessions() const {
  const std::lock_guard guard(mutex_);
  return sessions_;
}

bool Change::done() const {
  return progress_ == nullptr || progress_->done();
}

bool Change::wait(std::int64_t timeout_ns) const {
  return progress_ == nullptr || progress_->wait(timeout_ns);
}

std::vector<SessionChange> Change::sessions() const {
  return progress_ == nullptr ? std::vector<SessionChange>() : progress_->sessions();
}

config::Problems Change::warnings() const {
  return progress_ == nullptr ? config::Problems() : progress_->warnings();
}

}  // namespace affix::inline v0::engine
