// SPDX-License-Identifier: MIT
// With durability sync: the part of a session's outbox whose messages are on the disk.
#pragma once

#include "affix/journal/record.hpp"

#include <algorithm>
#include <cstddef>

namespace affix::inline v0::host {

/// One thread. Remembers one place of the journal at a time and the bytes of the outbox that may
/// leave once the disk has it, so output leaves in a few steps however many messages it has.
class DurableOutput {
 public:
  /// Bytes of the outbox that may leave: the journal is on the disk up to `durable` and ends at
  /// `end`, and has all `all` bytes of the outbox.
  [[nodiscard]] std::size_t update(journal::Position durable, journal::Position end,
                                   std::size_t all) noexcept {
    if (until_.valid() && durable >= until_) {
      ready_bytes_ = std::max(ready_bytes_, waiting_bytes_);
      until_ = {};
      waiting_bytes_ = 0;
    }
    if (durable >= end) {
      ready_bytes_ = all;
    } else if (ready_bytes_ < all && !until_.valid()) {
      until_ = end;
      waiting_bytes_ = all;
    }
    return ready_bytes_;
  }

  /// The result of the last update(), less what has left.
  [[nodiscard]] std::size_t ready_bytes() const noexcept { return ready_bytes_; }

  /// The first `bytes` of the outbox have left.
  void on_sent(std::size_t bytes) noexcept {
    ready_bytes_ -= std::min(bytes, ready_bytes_);
    waiting_bytes_ -= std::min(bytes, waiting_bytes_);
  }

  /// The outbox was emptied.
  void clear() noexcept { *this = {}; }

 private:
  journal::Position until_;  // When durable there, `waiting_bytes_` may leave. Invalid: none waits.
  std::size_t waiting_bytes_ = 0;
  std::size_t ready_bytes_ = 0;
};

}  // namespace affix::inline v0::host
