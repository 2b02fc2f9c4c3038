// SPDX-License-Identifier: MIT
// Queues processed marks that were set after settle_marks() passed their records, until everything
// sent before them is on the disk. For journals with MarkTrust::Vouched.
#pragma once

#include "affix/journal/record.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace affix::inline v0::journal {

class Journal;

/// Shared by the journals of one writer thread. Must outlive them, or be removed from them first.
/// Allocates in the constructor only.
class LateMarks {
 public:
  /// Reserves space for `capacity` marks.
  explicit LateMarks(std::size_t capacity);

  /// False: the queue is full. The mark then survives a killed process but not a power loss; the
  /// next opening of the journal queues it again.
  [[nodiscard]] bool add(Journal& journal, Position position) noexcept;

  /// Number of queued marks.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// True if add() would return false.
  [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }

  /// Makes the oldest `count` marks survive a power loss once they are on the disk. A mark in a
  /// segment that is no longer mapped costs a few system calls.
  void confirm(std::size_t count) noexcept;

  /// Removes and returns the marks of `journal`. The others keep their order. Allocates.
  [[nodiscard]] std::vector<Position> take_out(const Journal& journal);

 private:
  struct Mark {
    Journal* journal = nullptr;  // Null: its journal was closed.
    Position position;
  };

  std::unique_ptr<Mark[]> marks_;
  std::size_t capacity_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace affix::inline v0::journal
