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

  /// A session has sent its first message that is not stored yet.
  void begin_late() noexcept { ++late_sessions_; }

  /// The session has no such message left. Sets the marks when it was the last session, unless the
  /// journal refused a message: then the marks are dropped, and the messages are redelivered.
  void end_late(bool stored) noexcept {
    all_stored_ = all_stored_ && stored;
    if (--late_sessions_ != 0) {
      return;
    }
    if (all_stored_) {
      for (const Mark& mark : waiting_) {
        mark.journal->mark_processed(mark.position);
      }
    }
    waiting_.clear();
    all_stored_ = true;
  }

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
  bool all_stored_ = true;
  base::FixedVector<Mark, waiting_max> waiting_;
};

}  // namespace affix::inline v0::host
