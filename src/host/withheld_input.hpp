// SPDX-License-Identifier: MIT
// With `replication=BEFORE_DELIVER`: received messages that are stored and that the application may
// not have yet, since the standbys of the session's group do not have them.
#pragma once

#include "affix/journal/journal.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/replay.hpp"
#include "affix/replication/shipper.hpp"

#include <algorithm>
#include <optional>

namespace affix::inline v0::host {

/// One thread. The messages themselves are in the journal: this knows from where on, and how far.
class WithheldInput {
 public:
  [[nodiscard]] bool any() const noexcept { return from_.valid(); }

  /// The received record at `at` is withheld. The journal ends at `end` after it, and the stream of
  /// the stores at `stored`.
  void add(journal::Position at, journal::Position end, replication::Place stored) noexcept {
    if (!from_.valid()) {
      from_ = at;
      ready_ = at;
    }
    end_ = end;
    stored_ = stored;
  }

  /// The standbys have the stream up to `released`. True: messages may be delivered.
  [[nodiscard]] bool update(replication::Place released) noexcept {
    if (until_.valid() && released >= until_place_) {
      ready_ = std::max(ready_, until_);
      until_ = {};
    }
    if (any() && released >= stored_) {
      ready_ = end_;
    } else if (any() && !until_.valid() && ready_ < end_) {
      until_ = end_;
      until_place_ = stored_;
    }
    return any() && from_ < ready_;
  }

  /// Begins to deliver those that update() found. Read them by messages().
  void begin_delivery(const journal::Journal& journal) noexcept {
    delivering_ = ready_;
    messages_ = journal.unprocessed(from_, delivering_, journal::ColdPages::Await);
  }

  [[nodiscard]] bool is_delivering() const noexcept { return messages_.has_value(); }

  /// Only while it is delivering.
  [[nodiscard]] journal::Replay& messages() noexcept { return *messages_; }

  /// They were.
  void end_delivery() noexcept {
    messages_.reset();
    from_ = delivering_;
    if (from_ >= end_) {
      *this = {};
    }
  }

  /// Another stream begins, whose place `stored` is after everything that was stored.
  void begin_epoch(replication::Place stored) noexcept {
    until_ = {};
    stored_ = stored;
  }

 private:
  journal::Position from_;        // The first that was not delivered; invalid: none is withheld.
  journal::Position ready_;       // Those before it may be delivered.
  journal::Position delivering_;  // Up to where they are being delivered.
  std::optional<journal::Replay> messages_;  // Those that are being delivered.
  journal::Position end_;                    // After the last one.
  replication::Place stored_ = 0;            // Of the stream, after the last one.
  journal::Position until_;  // Ready when the standbys have `until_place_`; invalid: unset.
  replication::Place until_place_ = 0;
};

}  // namespace affix::inline v0::host
