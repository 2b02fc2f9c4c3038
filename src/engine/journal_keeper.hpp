// SPDX-License-Identifier: MIT
// The work on a worker's journals that no message waits for: preparing segments, reading pages of
// history, flushing, and vouching for marks. Helper threads do it where there are some, beside the
// worker's turns.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/error.hpp"
#include "affix/net/reactor.hpp"

#include "engine/mark_rounds.hpp"
#include "engine/notice.hpp"
#include "engine/page_patience.hpp"
#include "engine/preparation_requests.hpp"
#include "host/flush_list.hpp"
#include "host/journal_roster.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

namespace affix::inline v0::engine {

/// For one worker. Aligned as a whole: helper threads write some of it.
class alignas(base::cache_line) JournalKeeper {
 public:
  /// Nothing is due.
  static constexpr std::int64_t never_ns = INT64_MAX;

  /// Reserves memory for that many journals. `reactor`: the worker's, whose clock counts and which
  /// helpers wake; it outlives the last call. Call first.
  void open(net::Reactor& reactor, std::size_t journals);

  // --- Any thread. ---

  /// Adds this journal to those of prepare() and flush(), or removes it. Waits for the disk while
  /// they work.
  void enter(host::RosterEntry& entry);
  void leave(host::RosterEntry& entry);

  /// There is, or was, a session that sends only what is flushed.
  [[nodiscard]] bool awaits_flushes() const noexcept {
    // Relaxed: the flushing thread looks each time.
    return awaits_flushes_.load(std::memory_order_relaxed);
  }

  // --- The worker's thread. ---

  /// The session of this journal is the worker's from here on, or no longer.
  void join(host::RosterEntry& entry) {
    if (entry.flushes) {
      rounds_.enter(entry);
    }
  }

  void depart(host::RosterEntry& entry) {
    if (entry.flushes) {
      rounds_.depart(entry);
    }
  }

  /// Records appends: flush() finds the journal. Costs a test where nothing is flushed.
  void note_append(host::RosterEntry& entry) noexcept {
    if (entry.flushes) {
      list(entry);
    } else {
      requests_.note_append();
    }
  }

  /// Output of the journal's session waits for its flush.
  void await_flush(host::RosterEntry& entry) noexcept {
    list(entry);  // Before the wake: the woken thread looks at the list.
    wake_flusher();
  }

  /// While output waits for the disk and nobody but the worker's own thread flushes: steady time
  /// until which the worker may wait for events. never_ns: a flushing thread will wake it.
  [[nodiscard]] std::int64_t own_flush_ns() const noexcept {
    if (flush_waker_.load(std::memory_order_relaxed) != nullptr) {
      return never_ns;
    }
    return unflushed_.has_entries() ? 0 : retry_ns_.load(std::memory_order_relaxed);
  }

  /// A flush has made progress or failed since these were taken.
  [[nodiscard]] bool has_flush_news() const noexcept {
    return flushed_.is_raised() || flush_failed_.is_raised();
  }

  [[nodiscard]] bool take_flushed() noexcept { return flushed_.take(); }

  [[nodiscard]] bool take_flush_failed() noexcept { return flush_failed_.take(); }

  /// Call at the end of a turn in which everything sent is noted.
  void end_turn() noexcept {
    if (rounds_.is_used()) [[unlikely]] {
      rounds_.end_turn();
    }
  }

  /// The first session waits for pages of history.
  void begin_page_wait(std::int64_t now_ns) noexcept { patience_.begin(now_ns); }

  /// While sessions wait for pages: true if no helper reads them, so the worker must.
  [[nodiscard]] bool must_read_pages(std::int64_t now_ns) noexcept {
    // Relaxed: only a change of the value counts.
    return patience_.is_over(preparations_.load(std::memory_order_relaxed), now_ns);
  }

  /// Steady time at which to call must_read_pages() again.
  [[nodiscard]] std::int64_t page_deadline_ns() const noexcept { return patience_.deadline_ns(); }

  /// The worker could read none now: must_read_pages() is false for a while.
  void pause_page_reading(std::int64_t now_ns) noexcept { patience_.pause(now_ns); }

  /// Pages were read that sessions wait for.
  [[nodiscard]] bool take_pages() noexcept { return pages_came_.take(); }

  /// The worker or a helper has read pages.
  void on_pages_read() noexcept;

  /// A journal needs prepare(), or may.
  void want_preparation() noexcept { requests_.want(); }

  /// True if that was called since the last time; while preparing fails, not more often than each
  /// 100 ms unless it is `urgent`.
  [[nodiscard]] bool take_preparation_request(std::int64_t now_ns, bool urgent) noexcept;

  /// For the last turn: flushes everything, and vouches for the marks of these journals. Nothing is
  /// sent afterwards. A journal closed without this counts as one that may have lost its end,
  /// should the machine go down. Waits for the disk.
  void close(std::span<host::RosterEntry* const> entries) noexcept;

  // --- Helper threads; also the worker's, where there are none. ---

  /// Prepares segments, and reads the pages of history that resends wait for. One thread at a time,
  /// beside flush(). True: it did something.
  bool prepare() noexcept;

  /// Flushes what is due: sync journals with unflushed data, group journals with data older than
  /// their interval. A few megabytes of each, so that no session waits for another's backlog. One
  /// thread at a time; others return at once. True: it flushed something.
  bool flush() noexcept;

  /// Time from now for which flush() need not be called unless its waker is woken; never_ns while
  /// no journal needs it. For the flushing thread, after flush().
  [[nodiscard]] std::int64_t flush_pause_ns() noexcept;

  /// The flushing thread has woken, for any reason.
  void end_flush_rest() noexcept { unflushed_.end_rest(); }

  /// Waker for urgent work of flush(). Null: only the thread that drives the worker flushes. Before
  /// the worker's thread runs, or after it.
  void set_flush_waker(net::Waker* waker) noexcept {
    flush_waker_.store(waker, std::memory_order_release);
  }

 private:
  void list(host::RosterEntry& entry) noexcept;
  void wake_flusher() noexcept;
  void take_round();
  void take_unflushed();
  void finish_round(std::int64_t now_ns) noexcept;
  void note_flush(host::RosterEntry& entry, std::int64_t now_ns,
                  const std::expected<bool, base::Error>& all) noexcept;
  [[nodiscard]] bool flush_all() noexcept;
  [[nodiscard]] std::int64_t next_retry_ns() const noexcept;

  net::Reactor* reactor_ = nullptr;
  host::JournalRoster roster_;
  std::atomic<net::Waker*> flush_waker_{nullptr};
  PreparationRequests requests_;
  PagePatience patience_;

  // Written by the helper threads, so on their own cache line.
  alignas(base::cache_line) std::atomic<bool> preparation_failed_{false};
  Notice keep_writable_;                        // prepare() is to call it for each journal.
  std::atomic<std::uint64_t> preparations_{0};  // Begun and ended ones.
  Notice pages_came_;
  Notice flushed_;
  Notice flush_failed_;
  std::atomic<bool> awaits_flushes_{false};

  // Journals with unflushed data: added by the worker, taken by the flushing thread.
  host::FlushList unflushed_;
  MarkRounds rounds_;  // Used by both in turn.

  // The flushing thread's, guarded by the roster's lock.
  alignas(base::cache_line) std::vector<host::RosterEntry*> due_;  // Taken, not flushed yet.
  std::int64_t interval_ns_ = 0;  // The shortest of group journals; 0: there was none.
  std::int64_t active_until_ns_ = 0;
  std::size_t round_left_ = 0;  // Journals of the taken round still to be flushed.
  // When the first of those that are due is to be flushed, or tried again.
  std::atomic<std::int64_t> retry_ns_{never_ns};
};

}  // namespace affix::inline v0::engine
