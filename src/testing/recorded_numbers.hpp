// SPDX-License-Identifier: MIT
// The sequence numbers that a journal would have after a session's records. Private to testing.
#pragma once

#include "affix/session.hpp"

#include <cstdint>

namespace affix::inline v0::testing {

class RecordedNumbers {
 public:
  [[nodiscard]] std::uint64_t next_outgoing() const noexcept { return outgoing_; }

  [[nodiscard]] std::uint64_t next_expected() const noexcept { return expected_; }

  void record(const session::PersistSent& sent) noexcept {
    outgoing_ = sent.sequence + 1;
    if (sent.placed.empty()) {  // It waits for the next logon.
      ++queued_;
      last_queued_ = sent.sequence;
    }
  }

  void record(const session::PersistReceived& received) noexcept {
    expected_ = received.expected_after;
  }

  void record(const session::PersistResent& resent) noexcept { queued_ = resent.unsent; }

  void record(const session::PersistEvent& event) noexcept {
    if (event.why == session::NumbersMoved::Reset || event.why == session::NumbersMoved::Skipped ||
        event.next_outgoing < outgoing_) {
      queued_ = 0;  // None of the queued numbers will be sent.
    }
    outgoing_ = event.next_outgoing;
    expected_ = event.next_expected;
  }

  /// Gives them to a session that begins.
  void restore(session::SessionState& state) const noexcept {
    session::restore(state, outgoing_, expected_);
    session::restore_queued(state, queued_, queued_ == 0 ? 0 : last_queued_);
  }

 private:
  std::uint64_t outgoing_ = 1;
  std::uint64_t expected_ = 1;
  std::uint64_t queued_ = 0;
  std::uint64_t last_queued_ = 0;
};

}  // namespace affix::inline v0::testing
