// SPDX-License-Identifier: MIT
// Requests of replays for records that are not in memory. A private part of Journal.
#pragma once

#include <atomic>

namespace affix::inline v0::journal {

class ReadAhead;

/// A list that replays on the writer's thread push to, and that the reading thread takes at once.
/// The gate admits one reading thread at a time.
class ReadAheadQueue {
 public:
  [[nodiscard]] std::atomic_flag& reading() noexcept { return reading_; }

  /// Hands `asked` over to the reading thread, which deletes it when its replay is over.
  void push(ReadAhead& asked) noexcept;

  /// True if there are requests. Cheap; any thread.
  [[nodiscard]] bool any() const noexcept {
    return first_.load(std::memory_order_relaxed) != nullptr;
  }

  /// All requests, linked through ReadAhead::next_asked; null: none.
  [[nodiscard]] ReadAhead* take() noexcept {
    // Acquire: pairs with push().
    return first_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  std::atomic<ReadAhead*> first_{nullptr};
  std::atomic_flag reading_;
};

}  // namespace affix::inline v0::journal
