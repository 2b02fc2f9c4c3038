// SPDX-License-Identifier: MIT
// Processed marks of one worker, delayed while a message that it has sent is not stored: an order
// must not count as processed before its answer, on any session, is in a journal.
#pragma once

#include "affix/base/fixed_vector.hpp"
#include "affix/journal/journal.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::host {

/// For one worker; one thread. Only sessions with `store_order=after_send` ever delay marks.
class DelayedMarks {
 public:
  /// No message waits to be stored, so a mark may be set at once.
  [[nodiscard]] bool open() const noexcept { return late_sessions_ == 0; }

  /// Number of refusals so far by the journals of this worker's sessions: of one message, or of all
  /// that a session had sent and not stored. Unchanged since a callback began: everything that was
  /// sent from it is stored, or waits to be.
  [[nodiscard]] std::uint32_t refusals() const noexcept { return refusals_; }

  /// A journal refused a message before it was sent.
  void note_refusal() noexcept { ++refusals_; }

  /// A session has sent its first message that is not stored yet.
  void begin_late() noexcept { ++late_sessions_; }

  /// The session has no such message left. Sets the marks when it was the last session, unless the
  /// journal refused a message: then the marks are dropped, and the messages are redelivered.
  void end_late(bool stored) noexcept {
    if (!stored) {
      ++refusals_;
      all_stored_ = false;
    }
    if (--late_sessions_ != 0) {
      return;
    }
    dropped_last_ = !all_stored_;
    if (all_stored_) {
      for (const Mark& mark : waiting_) {
        mark.journal->mark_processed(mark.position);
      }
    }
    waiting_.clear();
    all_stored_ = true;
  }

  /// The last marks that were delayed were dropped, not set.
  [[nodiscard]] bool dropped_last() const noexcept { return dropped_last_; }

  /// Delays a mark. False: there is no room for it.
  [[nodiscard]] bool delay(journal::Journal& journal, journal::Position position) noexcept {
    return waiting_.push_back({&journal, position});
  }

 private:
  struct Mark {
    journal::Journal* journal = nullptr;
    journal::Position position;
  };

  static constexpr std::size_t waiting_max = 256;

  std::uint32_t late_sessions_ = 0;
  std::uint32_t refusals_ = 0;
  bool all_stored_ = true;
  bool dropped_last_ = false;
  base::FixedVector<Mark, waiting_max> waiting_;
};

}  // namespace affix::inline v0::host
