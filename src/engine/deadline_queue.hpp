// SPDX-License-Identifier: MIT
// The timers of a worker's sessions: costs what is due, not what exists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace affix::inline v0::engine {

inline constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

/// A heap of (deadline, owner). A deadline that moves later costs nothing until the old one comes:
/// it is then found not to be due and entered anew. Only one that moves earlier is entered at once.
class DeadlineQueue {
 public:
  explicit DeadlineQueue(std::size_t owners) : scheduled_(owners, never_ns) {
    heap_.reserve(owners * 4 + 16);
  }

  /// The owner's deadline is now `deadline_ns`.
  void update(std::size_t owner, std::int64_t deadline_ns) {
    if (deadline_ns < scheduled_[owner]) {
      enter(owner, deadline_ns);
    }
  }

  /// An owner whose entered deadline has come, taken out; the caller enters its next one with
  /// update(). Nothing when none is due.
  [[nodiscard]] std::optional<std::size_t> pop_due(std::int64_t now_ns) {
    while (!heap_.empty() && heap_.front().deadline_ns <= now_ns) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      // An entry that a later, earlier deadline replaced has nothing to say.
      if (scheduled_[entry.owner] == entry.deadline_ns) {
        scheduled_[entry.owner] = never_ns;
        return entry.owner;
      }
    }
    return std::nullopt;
  }

  /// When pop_due() may next have something.
  [[nodiscard]] std::int64_t next() const noexcept {
    return heap_.empty() ? never_ns : heap_.front().deadline_ns;
  }

 private:
  struct Entry {
    std::int64_t deadline_ns;
    std::size_t owner;
  };

  static bool later(const Entry& left, const Entry& right) noexcept {
    return left.deadline_ns > right.deadline_ns;
  }

  void enter(std::size_t owner, std::int64_t deadline_ns) {
    scheduled_[owner] = deadline_ns;
    heap_.push_back({deadline_ns, owner});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  std::vector<std::int64_t> scheduled_;
  std::vector<Entry> heap_;
};

}  // namespace affix::inline v0::engine
