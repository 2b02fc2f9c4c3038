// SPDX-License-Identifier: MIT
// Processed marks that were set after settle_marks() had passed their records, kept until
// everything that was sent before them is on the disk. For journals with MarkTrust::Vouched.
#pragma once

#include "affix/journal/record.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace affix::inline v0::journal {

class Journal;

/// A queue for the journals of one writer thread, which outlives them or is taken from them first.
/// Allocates when it is made and never again.
class LateMarks {
 public:
  /// Room for `capacity` marks.
  explicit LateMarks(std::size_t capacity);

  /// False: it is full. The mark then survives a killed process, and not a power loss; opening the
  /// journal again puts it here once more.
  [[nodiscard]] bool add(Journal& journal, Position position) noexcept;

  /// How many wait.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Whether add() would answer false.
  [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }

  /// The oldest `count` marks survive a power loss from here on, as far as they reach the disk.
  /// A mark in a segment that is no longer mapped costs a few system calls.
  void confirm(std::size_t count) noexcept;

  /// What is kept for a journal that goes. The others keep their places. Allocates.
  [[nodiscard]] std::vector<Position> take_out(const Journal& journal);

 private:
  struct Mark {
    Journal* journal = nullptr;  // Null: its journal has gone.
    Position position;
  };

  std::unique_ptr<Mark[]> marks_;
  std::size_t capacity_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace affix::inline v0::journal
