// SPDX-License-Identifier: MIT
// The extent to which a journal's marks survive a power loss. A private part of Journal.
#pragma once

#include "affix/journal/processed_marks.hpp"
#include "affix/journal/record.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

/// For the flushing thread; other threads may call the members that say so.
class VouchedMarks {
 public:
  /// Marks before `position` are vouched for on the disk. Before all other calls.
  void begin_at(Position position) noexcept {
    before_.store(packed(position), std::memory_order_relaxed);
  }

  /// Vouches for marks set before settle() returned `settled`. The next flush must save that.
  void vouch(const SettledMarks& settled) noexcept;

  /// Marks before it are vouched for. Any thread.
  [[nodiscard]] Position before() const noexcept {
    return unpacked(before_.load(std::memory_order_acquire));
  }

  /// Number of late marks, oldest first, that are vouched for.
  [[nodiscard]] std::uint64_t late() const noexcept { return late_; }

  /// Offset up to which segment `number`, flushed up to the offset `flushed`, may say that it is on
  /// the disk.
  [[nodiscard]] std::size_t offset_in(std::uint32_t number, std::size_t flushed) const noexcept;

  /// True if the disk does not say yet that marks are vouched for. Any thread.
  [[nodiscard]] bool unsaved() const noexcept { return unsaved_.load(std::memory_order_relaxed); }

  void set_unsaved(bool unsaved) noexcept { unsaved_.store(unsaved, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> before_{0};
  std::uint64_t late_ = 0;
  std::atomic<bool> unsaved_{false};
};

}  // namespace affix::inline v0::journal
