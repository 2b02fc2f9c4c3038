// SPDX-License-Identifier: MIT
// How much of a session's outbox may leave: its limit on sends, with durability sync the part that
// is on the disk, and in a failover group the part that the standbys have. Reads no clock: callers
// pass the time.
#pragma once

#include "affix/journal/record.hpp"
#include "affix/session/state.hpp"

#include "config/session_options.hpp"
#include "host/held_output.hpp"
#include "host/send_pace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace affix::inline v0::host {

/// One thread. Times are steady. Allocates when it is made and never again.
class OutputGate {
 public:
  OutputGate(const config::SendLimit& limit, std::size_t outbox_bytes)
      : pace_(limit.messages == 0 ? nullptr : std::make_unique<SendPace>(limit, outbox_bytes)) {}

  // --- The limit on sends ---

  [[nodiscard]] bool limited() const noexcept { return pace_ != nullptr; }

  /// True if one more message may be taken; the outbox has `waiting_bytes` now.
  [[nodiscard]] bool admits(std::int64_t now_ns, std::size_t waiting_bytes) const noexcept {
    return pace_ == nullptr || pace_->admits(now_ns, waiting_bytes);
  }

  /// Counts an admitted message, which is in the outbox after `bytes_before`. Only if limited().
  void take(std::int64_t now_ns, std::size_t bytes_before) noexcept {
    pace_->take(now_ns, bytes_before);
  }

  /// Messages wait in the outbox for the limit.
  [[nodiscard]] bool holds_messages() const noexcept { return pace_ != nullptr && pace_->waits(); }

  /// Number of the outbox's `bytes` that the limit lets leave. Only if limited().
  [[nodiscard]] std::size_t within_limit(std::int64_t now_ns, std::size_t bytes) noexcept {
    return pace_->sendable(now_ns, bytes);
  }

  /// SendPace::deadline_ns(). Only if limited().
  [[nodiscard]] std::int64_t deadline_ns(bool was_refused) const noexcept {
    return pace_->deadline_ns(was_refused);
  }

  // --- The disk ---

  /// Number of the outbox's `all` bytes that are on the disk: the journal is there up to `durable`
  /// and ends at `end`, and has all of them.
  [[nodiscard]] std::size_t durable(journal::Position durable, journal::Position end,
                                    std::size_t all) noexcept {
    return durable_.update(journal::packed(durable), journal::packed(end), all);
  }

  // --- The standbys ---

  /// Number of the outbox's `all` bytes that the standbys have: they have the stream of the stores
  /// up to place `released`, and it has all of them before place `stored`.
  [[nodiscard]] std::size_t replicated(std::uint64_t released, std::uint64_t stored,
                                       std::size_t all) noexcept {
    return replicated_.update(released, stored, all);
  }

  /// Another stream begins, with places of its own.
  void begin_epoch() noexcept { replicated_.forget_places(); }

  // --- All ---

  /// The last result of durable(), or of replicated(), less what has left.
  [[nodiscard]] std::size_t last_durable() const noexcept { return durable_.ready_bytes(); }

  [[nodiscard]] std::size_t last_replicated() const noexcept { return replicated_.ready_bytes(); }

  /// The first `bytes` of the outbox have left.
  void on_sent(std::size_t bytes) noexcept {
    if (pace_ != nullptr) [[unlikely]] {
      pace_->note_sent(bytes);
    }
    durable_.on_sent(bytes);
    replicated_.on_sent(bytes);
  }

  /// The connection has ended and the outbox is empty. Earlier sends still count for the limit.
  void end_connection() noexcept {
    durable_.clear();
    replicated_.clear();
    if (pace_ != nullptr) {
      pace_->end_connection();
    }
  }

 private:
  std::unique_ptr<SendPace> pace_;  // Null: sends have no limit.
  HeldOutput durable_;
  HeldOutput replicated_;
};

}  // namespace affix::inline v0::host
