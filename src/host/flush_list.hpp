// SPDX-License-Identifier: MIT
// List of journals with unflushed data: a worker adds them, the flushing thread takes them.
// Flushing costs in proportion to the work, not to the number of sessions.
#pragma once

#include "affix/base/bytes.hpp"

#include <atomic>
#include <cstdint>

namespace affix::inline v0::host {

struct RosterEntry;

/// One thread adds; takers take one at a time. No allocation: the entries belong to the journals,
/// and outlive the list.
class FlushList {
 public:
  struct Entry {
    explicit Entry(RosterEntry& whose) noexcept : owner(&whose) {}

    RosterEntry* const owner;
    Entry* next = nullptr;
    std::atomic<bool> listed{false};

    /// The flushing thread's: steady time before which it need not look again.
    std::int64_t not_before_ns = 0;
  };

  /// Call after an append. Does nothing if the entry was added and not taken since. Costs an
  /// exchange, and a second one when it adds. True: it was added.
  bool add(Entry& entry) noexcept {
    // Release: the thread that takes the entry sees the append. No load first: the append and the
    // look at the mark must not be reordered.
    if (entry.listed.exchange(true, std::memory_order_acq_rel)) {
      return false;
    }
    Entry* head = head_.load(std::memory_order_relaxed);
    do {
      entry.next = head;
      // Sequentially consistent with the look of a flushing thread that is about to rest, below.
    } while (!head_.compare_exchange_weak(head, &entry, std::memory_order_seq_cst));
    return true;
  }

  /// True if an entry was added and not taken since.
  [[nodiscard]] bool has_entries() const noexcept {
    return head_.load(std::memory_order_relaxed) != nullptr;
  }

  /// Takes all that were added, linked by `next`, the last first; null: none. They stay marked as
  /// listed until begin(), after which `next` is the adding thread's again: read it before.
  [[nodiscard]] Entry* take() noexcept {
    // A load first: an exchange at every look would take the cache line from the worker.
    if (!has_entries()) {
      return nullptr;
    }
    return head_.exchange(nullptr, std::memory_order_acquire);
  }

  /// Call before its journal is flushed: a later append adds it again.
  static void begin(Entry& entry) noexcept {
    static_cast<void>(entry.listed.exchange(false, std::memory_order_acq_rel));
  }

  /// Call after a failed flush that is to be repeated. True: it stays with the flushing thread;
  /// false: it was added again meanwhile.
  [[nodiscard]] bool keep(Entry& entry) noexcept {
    return !entry.listed.exchange(true, std::memory_order_acq_rel);
  }

  /// True if the flushing thread sleeps until woken. For the adding thread, after add().
  [[nodiscard]] bool is_resting() const noexcept {
    return resting_.load(std::memory_order_seq_cst);
  }

  /// Called by the flushing thread: from here on it must be woken. False: an entry was added, so it
  /// must not sleep. Both sides write first and look then, so at least one sees the other.
  [[nodiscard]] bool rest() noexcept {
    resting_.store(true, std::memory_order_seq_cst);
    return head_.load(std::memory_order_seq_cst) == nullptr;
  }

  void end_rest() noexcept { resting_.store(false, std::memory_order_relaxed); }

 private:
  alignas(base::cache_line) std::atomic<Entry*> head_{nullptr};
  std::atomic<bool> resting_{false};
};

}  // namespace affix::inline v0::host
