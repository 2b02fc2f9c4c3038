// SPDX-License-Identifier: MIT
// One session's part in recording where messages spend their time, if the engine records that.
#pragma once

#include "counters/latency_recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::host {

/// One thread. Without a recorder each call is one comparison.
class MessageLatencies {
 public:
  /// `recorder` is the worker's, which outlives this; null: nothing is recorded.
  MessageLatencies(counters::LatencyRecorder* recorder, std::string_view session)
      : recorder_(recorder) {
    if (recorder_ != nullptr) {
      track_ = recorder_->track(session);
    }
  }

  /// For callers that would compute arguments for nothing.
  [[nodiscard]] bool recorded() const noexcept { return recorder_ != nullptr; }

  /// Nothing more is expected of the previous connection.
  void begin_connection() noexcept { track_.begin_connection(); }

  /// Bytes are read at `read_ns`, which the kernel received at `received_ns` (0: unknown). UTC.
  void begin_read(std::int64_t received_ns, std::int64_t read_ns) noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->begin_read(received_ns, read_ns);
    }
  }

  /// The application gets message `number` of them; `released`: it came with earlier ones.
  void begin_delivery(std::uint64_t number, bool released) noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->begin_delivery(track_, number, released);
    }
  }

  void end_delivery() noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->end_delivery();
    }
  }

  /// Our message `number` is stored, and ends after `outbox_bytes` of the outbox.
  void commit(std::uint64_t number, std::size_t outbox_bytes) noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->commit(track_, number, outbox_bytes);
    }
  }

  /// The outbox is about to be passed to the reactor.
  void begin_sending() noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->begin_sending();
    }
  }

  /// The reactor has taken the outbox's first `bytes`, which end at `position` of its stream. Those
  /// of earlier turns waited for `held_by`.
  void note_sent(std::size_t bytes, std::uint64_t position,
                 counters::LatencyCause held_by) noexcept {
    if (recorder_ != nullptr) [[unlikely]] {
      recorder_->note_sent(track_, bytes, position, held_by);
    }
  }

  /// The kernel passed the stream up to `position` to the driver at `utc_ns`.
  void note_transmitted(std::uint64_t position, std::int64_t utc_ns) noexcept {
    if (recorder_ != nullptr) {
      recorder_->note_transmitted(track_, position, utc_ns);
    }
  }

 private:
  counters::LatencyRecorder* recorder_;
  counters::LatencyTrack track_;
};

}  // namespace affix::inline v0::host
