// SPDX-License-Identifier: MIT
// Records where one worker's messages spend their time. Only the worker's thread writes, into its
// ring of the latency file; docs/reference/latency-format.md.
#pragma once

#include "affix/base/time.hpp"
#include "affix/counters/latency_records.hpp"
#include "affix/net/reactor.hpp"

#include "counters/latency_file.hpp"
#include "os/cycle_clock.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace affix::inline v0::counters {

/// A recorder's state for one session: messages on their way out, as numbers of records; 0: none.
struct LatencyTrack {
  std::uint32_t session = 0;  ///< Its place in the file's table.
  std::uint64_t first_unsent = 0;
  std::uint64_t first_unstamped = 0;  ///< First record possibly sent without a transmit stamp from
                                      ///< the kernel.
  std::uint64_t last = 0;
  std::uint64_t flushed_bytes = 0;  ///< Bytes of the connection's output sent so far.

  /// Starts a new connection: nothing more is expected of the previous one.
  void begin_connection() noexcept { *this = {.session = session}; }
};

/// Numbers records in the order in which they are begun. A message costs two readings of a cycle
/// counter and one record; after a wait of the worker, the turn's records are visited once more.
class LatencyRecorder {
 public:
  /// `file` and `clock` outlive this. `reckons`: the reactor's clock is the system's.
  LatencyRecorder(LatencyFile& file, std::size_t worker, net::Reactor& clock, bool reckons);

  /// Initial state for the session of that name.
  [[nodiscard]] LatencyTrack track(std::string_view session) {
    return {.session = file_.place_of(session)};
  }

  /// A session receives bytes at `read_ns`, which the kernel received at `received_ns` (0:
  /// unknown). UTC.
  void begin_read(std::int64_t received_ns, std::int64_t read_ns) noexcept {
    at_hand_.received_ns = received_ns;
    at_hand_.read_ns = read_ns;
  }

  /// Call before the application gets a message from the bytes of begin_read(), or, if `released`,
  /// from earlier ones.
  void begin_delivery(const LatencyTrack& track, std::uint64_t number, bool released) noexcept {
    at_hand_.session = track.session;
    at_hand_.number = number;
    at_hand_.released = released;
    at_hand_.handed_ns = std::max(now(), at_hand_.read_ns);
    at_hand_.delivering = true;
    at_hand_.answered = false;
  }

  /// Call after the application's callback. Records the message unless its answers did.
  void end_delivery() noexcept;

  /// The journal has stored a message sent by the session, which ends after `outbox_bytes` of its
  /// outbox.
  void commit(LatencyTrack& track, std::uint64_t number, std::size_t outbox_bytes) noexcept;

  /// Call before a session's output is passed to the reactor.
  void begin_sending() noexcept { sending_ns_ = now(); }

  /// The reactor has taken the outbox's first `bytes`, which end at `position` of its stream.
  /// Messages committed in earlier turns waited for `held_by`.
  void note_sent(LatencyTrack& track, std::size_t bytes, std::uint64_t position,
                 LatencyCause held_by) noexcept;

  /// The kernel passed the stream up to `position` to the driver at `utc_ns`.
  void note_transmitted(LatencyTrack& track, std::uint64_t position, std::int64_t utc_ns) noexcept;

  /// The worker was delayed for `took_ns` until `now`.
  void note_wait(WaitCause cause, std::int64_t took_ns, base::Now now) noexcept;

  /// Call at the end of a turn, after its waits are noted.
  void end_turn() noexcept {
    if (latest_wait_end_ns_ > oldest_ns_) [[unlikely]] {
      explain_turn();
    }
    turn_first_ = begun_ + 1;
    oldest_ns_ = never;
  }

 private:
  static constexpr std::int64_t never = INT64_MAX;
  static constexpr std::size_t waits_kept = 16;

  /// The application's current or last message.
  struct AtHand {
    std::int64_t received_ns = 0;
    std::int64_t read_ns = 0;
    std::int64_t handed_ns = 0;
    std::uint64_t number = 0;
    std::uint32_t session = 0;
    bool released = false;
    bool delivering = false;
    bool answered = false;
  };

  /// Additional state of a record.
  struct Way {
    std::uint64_t end = 0;       ///< Of the message, in the connection's output.
    std::uint64_t position = 0;  ///< Of what it was sent with, in the reactor's stream.
    std::uint64_t next = 0;      ///< The session's next record; 0: none yet.
  };

  struct Wait {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    LatencyCause cause = LatencyCause::None;
  };

  [[nodiscard]] std::int64_t now() noexcept {
    return clock_.now([this] { return reactor_.now_again().utc_ns; });
  }

  [[nodiscard]] std::size_t place_of(std::uint64_t number) const noexcept {
    return static_cast<std::size_t>(number - 1) & mask_;
  }

  /// True if the record is not overwritten yet.
  [[nodiscard]] bool is_kept(std::uint64_t number) const noexcept {
    return number != 0 && begun_ - number <= mask_;
  }

  static void set(LatencyRecord& record, LatencyStep step, std::int64_t ns) noexcept {
    record.steps[static_cast<std::size_t>(step)].set(static_cast<std::uint64_t>(ns));
  }

  [[nodiscard]] static std::int64_t step_of(const LatencyRecord& record,
                                            LatencyStep step) noexcept {
    return static_cast<std::int64_t>(record.steps[static_cast<std::size_t>(step)].value());
  }

  [[nodiscard]] LatencyRecord& begin_record(bool answers) noexcept;
  void end_record(LatencyRecord& record) noexcept;
  void explain_turn() noexcept;

  LatencyFile& file_;
  net::Reactor& reactor_;
  os::CycleClock clock_;
  LatencyRing& ring_;
  const std::span<LatencyRecord> records_;
  const std::size_t mask_;
  std::unique_ptr<Way[]> ways_;  // By the record's place.
  std::uint64_t begun_ = 0;
  std::uint64_t turn_first_ = 1;
  AtHand at_hand_;
  std::int64_t sending_ns_ = 0;
  std::int64_t oldest_ns_ = never;  // Earliest time of the turn's messages.
  std::int64_t latest_wait_end_ns_ = 0;
  std::array<Wait, waits_kept> waits_{};  // The newest replaces the oldest.
  std::size_t waits_noted_ = 0;
};

}  // namespace affix::inline v0::counters
