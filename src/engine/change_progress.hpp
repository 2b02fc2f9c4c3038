// SPDX-License-Identifier: MIT
// Progress of a change of sessions: written by workers and by the thread that closes journals, read
// through the Change that the caller received.
#pragma once

#include "affix/engine/change.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread. Its lock is taken only by changes, never for a message.
class ChangeProgress {
 public:
  explicit ChangeProgress(std::vector<SessionChange> sessions, config::Problems warnings = {})
      : sessions_(std::move(sessions)), warnings_(std::move(warnings)), left_(sessions_.size()) {}

  void complete(std::size_t place, bool forced);

  [[nodiscard]] bool done() const;
  [[nodiscard]] bool wait(std::int64_t timeout_ns) const;
  [[nodiscard]] std::vector<SessionChange> sessions() const;

  [[nodiscard]] const config::Problems& warnings() const noexcept { return warnings_; }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<SessionChange> sessions_;
  const config::Problems warnings_;
  std::size_t left_;
};

/// One session's part in a change; an empty one may be completed, too.
struct ChangeItem {
  std::shared_ptr<ChangeProgress> progress;
  std::size_t place = 0;

  void complete(bool forced = false) const {
    if (progress != nullptr) {
      progress->complete(place, forced);
    }
  }
};

}  // namespace affix::inline v0::engine
