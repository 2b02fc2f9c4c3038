// SPDX-License-Identifier: MIT
// The part of a session's outbox that may leave once something has reached its place: the disk the
// journal's end, or the standbys the stream of the stores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::host {

/// One thread. Remembers one place at a time and the bytes of the outbox that may leave once it is
/// reached, so output leaves in a few steps however many messages it has.
class HeldOutput {
 public:
  /// Bytes of the outbox that may leave: everything before place `reached` is safe, and all `all`
  /// bytes of the outbox were stored before place `end`. Places ascend; that of stored output is
  /// above 0.
  [[nodiscard]] std::size_t update(std::uint64_t reached, std::uint64_t end,
                                   std::size_t all) noexcept {
    if (until_ != 0 && reached >= until_) {
      ready_bytes_ = std::max(ready_bytes_, waiting_bytes_);
      until_ = 0;
      waiting_bytes_ = 0;
    }
    if (reached >= end) {
      ready_bytes_ = all;
    } else if (ready_bytes_ < all && until_ == 0) {
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

  /// Places begin anew: of the outbox, only what was ready is known to be safe until the next
  /// update().
  void forget_places() noexcept {
    until_ = 0;
    waiting_bytes_ = 0;
  }

  /// The outbox was emptied.
  void clear() noexcept { *this = {}; }

 private:
  std::uint64_t until_ = 0;  // When reached, `waiting_bytes_` may leave. 0: none waits.
  std::size_t waiting_bytes_ = 0;
  std::size_t ready_bytes_ = 0;
};

}  // namespace affix::inline v0::host
