// SPDX-License-Identifier: MIT
// Which journals have something to flush: a worker enters them, whoever flushes takes them. So
// flushing costs what there is to flush, however many sessions there are.
#pragma once

#include "affix/base/bytes.hpp"

#include <atomic>
#include <cstdint>

namespace affix::inline v0::engine {

struct RosterEntry;

/// One thread adds, one at a time takes. No allocation: the entries are the journals' own, and
/// outlive the list.
class FlushList {
 public:
  struct Entry {
    explicit Entry(RosterEntry& whose) noexcept : owner(&whose) {}

    RosterEntry* const owner;
    Entry* next = nullptr;
    std::atomic<bool> listed{false};

    /// Of whoever flushes: steady time before which it need not come again.
    std::int64_t not_before_ns = 0;
  };

  /// Behind an append. Nothing when it is there already: then it was added, and not looked at,
  /// since. An exchange, and a second one when it is added. True: it was added.
  bool add(Entry& entry) noexcept {
    // Release: whoever takes the entry off sees the append. Not a load first: the append and the
    // look at the mark must not change places.
    if (entry.listed.exchange(true, std::memory_order_acq_rel)) {
      return false;
    }
    Entry* head = head_.load(std::memory_order_relaxed);
    do {
      entry.next = head;
      // Sequentially consistent with the look of one who is about to rest, below.
    } while (!head_.compare_exchange_weak(head, &entry, std::memory_order_seq_cst));
    return true;
  }

  /// All that were added, linked by `next`, the last first; null: none. They stay marked as listed
  /// until begin().
  [[nodiscard]] Entry* take() noexcept {
    // A load first: an exchange at every look would own the line that the worker writes.
    if (head_.load(std::memory_order_relaxed) == nullptr) {
      return nullptr;
    }
    return head_.exchange(nullptr, std::memory_order_acquire);
  }

  /// Before its journal is flushed: what is appended from here on adds it anew.
  static void begin(Entry& entry) noexcept {
    static_cast<void>(entry.listed.exchange(false, std::memory_order_acq_rel));
  }

  /// Its flush failed, and it is to be tried again. True: it stays with whoever flushes; false: it
  /// was added anew meanwhile.
  [[nodiscard]] bool keep(Entry& entry) noexcept {
    return !entry.listed.exchange(true, std::memory_order_acq_rel);
  }

  /// Whether who flushes sleeps until it is woken. Of the thread that adds, behind add().
  [[nodiscard]] bool is_resting() const noexcept {
    return resting_.load(std::memory_order_seq_cst);
  }

  /// Of whoever flushes: from here on it is to be woken. False: something was added, so it must not
  /// sleep. Both sides write first and look then, so that one of them sees the other.
  [[nodiscard]] bool rest() noexcept {
    resting_.store(true, std::memory_order_seq_cst);
    return head_.load(std::memory_order_seq_cst) == nullptr;
  }

  void end_rest() noexcept { resting_.store(false, std::memory_order_relaxed); }

 private:
  alignas(base::cache_line) std::atomic<Entry*> head_{nullptr};
  std::atomic<bool> resting_{false};
};

}  // namespace affix::inline v0::engine
