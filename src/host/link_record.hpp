// SPDX-License-Identifier: MIT
// State that a later process needs to continue a connection, beside the socket and the journal: one
// row of memory that outlives the process. Plain values of a fixed layout: another version of the
// program may read them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::host {

/// Of the rows' layout, and of the table that they are in.
inline constexpr std::uint32_t link_table_version = 2;

/// Where a connection's output stands, as of one send. `position` is the number of bytes that
/// precede our message `next_outgoing` on this connection, whether they have left or not.
struct OutputPlace {
  std::uint64_t next_outgoing = 0;
  std::uint64_t position = 0;
  /// Bytes before this position may be those of messages that the journal does not have: resent
  /// ones and gap fills.
  std::uint64_t unstored_until = 0;
  std::uint64_t next_expected = 0;  ///< MsgSeqNum (34) that the peer's next message must have.
  std::uint64_t journal_end = 0;    ///< packed(): position after the journal's last record.
  /// The peer's request that is being answered, as in session::ReplayState; all 0: none.
  std::uint64_t replay_from = 0;
  std::uint64_t replay_next = 0;
  std::uint64_t replay_to = 0;
  std::uint64_t waiting_from = 0;
  std::uint64_t waiting_to = 0;
  /// Our request that is unanswered, as in session::GapState; all 0: none.
  std::uint64_t gap_highest = 0;
  std::uint64_t gap_asked_from = 0;
  std::uint64_t gap_asked_to = 0;

  friend bool operator==(const OutputPlace&, const OutputPlace&) = default;
};

enum class LinkStage : std::uint32_t {
  Free = 0,
  Taken = 1,   ///< A session has it, and its connection is not logged on.
  Active = 2,  ///< The session is logged on; all members are valid.
};

/// One row. One process writes it, on the thread of the session's worker; the next process reads it
/// when the first has ended. A kill between two stores leaves the place before.
struct LinkRecord {
  static constexpr std::size_t name_bytes_max = 96;

  std::atomic<LinkStage> stage = LinkStage::Free;
  std::uint32_t role = 0;      ///< session::Role.
  std::uint64_t token = 0;     ///< Part of the name under which a keeper has the socket.
  std::uint64_t identity = 0;  ///< identity_of() the session.
  std::int64_t heartbeat_interval_ns = 0;
  std::uint32_t peer_message_bytes_max = 0;
  std::uint32_t name_size = 0;
  std::array<char, 8> appl_ver_id{};
  std::uint8_t appl_ver_id_size = 0;
  std::uint8_t cancel_terms = 0;  ///< CancelWatch::peer_terms().
  std::uint16_t worker = 0;       ///< Number of the worker that serves it.
  std::uint32_t cancel_grace_ms = 0;
  std::array<char, name_bytes_max>
      name_bytes{};  ///< Of the session; the beginning of a longer one.
  std::array<OutputPlace, 2> places{};
  std::atomic<std::uint32_t> current =
      0;  ///< Index of the newest place; the other one preceded it.
  std::uint32_t reserved = 0;
  /// Steady time since which no process had served it when the present one began; 0: unknown.
  std::int64_t unserved_since_ns = 0;
  std::array<std::uint32_t, 2> reserved_end{};

  /// The session's name, for messages about it. Viewed in the row.
  [[nodiscard]] std::string_view name() const noexcept {
    return {name_bytes.data(), name_size <= name_bytes.size() ? name_size : 0};
  }

  /// The newest place.
  [[nodiscard]] const OutputPlace& place() const noexcept {
    return places[current.load(std::memory_order_acquire) & 1];
  }

  [[nodiscard]] const OutputPlace& place_before() const noexcept {
    return places[(current.load(std::memory_order_acquire) & 1) ^ 1];
  }

  /// Makes `place` the newest one.
  void set_place(const OutputPlace& place) noexcept {
    const std::uint32_t next = (current.load(std::memory_order_relaxed) & 1) ^ 1;
    places[next] = place;
    current.store(next, std::memory_order_release);
  }
};

static_assert(std::atomic<LinkStage>::is_always_lock_free);
static_assert(sizeof(OutputPlace) == 104);
static_assert(offsetof(LinkRecord, places) == 152);
static_assert(offsetof(LinkRecord, unserved_since_ns) == 368);
static_assert(sizeof(LinkRecord) == 384);

/// A number for a session's names, which tells two sessions apart: FNV-1a of BeginString and of
/// both sides' ids. Equal in every version of the program.
[[nodiscard]] constexpr std::uint64_t identity_of(std::string_view identity) noexcept {
  std::uint64_t hash = 14695981039346656037U;
  for (const char each : identity) {
    hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211U;
  }
  return hash;
}

}  // namespace affix::inline v0::host
