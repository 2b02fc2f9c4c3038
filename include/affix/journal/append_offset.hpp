// SPDX-License-Identifier: MIT
// Where a journal's writer stores next, readable by other threads. A private part of Journal.
#pragma once

#include <atomic>
#include <cstddef>

namespace affix::inline v0::journal {

/// An offset in the current segment. One thread writes it; any thread may read it, without an order
/// to anything else. Costs what a plain number costs.
class AppendOffset {
 public:
  AppendOffset& operator=(std::size_t offset) noexcept {
    offset_.store(offset, std::memory_order_relaxed);
    return *this;
  }

  [[nodiscard]] operator std::size_t() const noexcept {
    return offset_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> offset_{0};
};

}  // namespace affix::inline v0::journal
