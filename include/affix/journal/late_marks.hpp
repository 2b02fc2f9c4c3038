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
/// Allocates in the constructor, and when more marks wait than were expected.
class LateMarks {
 public:
  /// Reserves space for `expected` marks.
  explicit LateMarks(std::size_t expected);

  /// Queues a mark. Allocates when full(), to twice the space: a mark that was not queued would
  /// keep its segment, and with it all later ones, until the journal is opened again. There are at
  /// most as many as messages that an application keeps.
  void add(Journal& journal, Position position) noexcept;

  /// Number of queued marks.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// True if no more marks were expected: who can wait, should.
  [[nodiscard]] bool full() const noexcept { return size_ >= expected_; }

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

  void grow() noexcept;

  std::unique_ptr<Mark[]> marks_;
  std::size_t expected_;
  std::size_t capacity_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace affix::inline v0::journal
