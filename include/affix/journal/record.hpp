// SPDX-License-Identifier: MIT
// Contents of a journal: records of both directions in the order of events. Shared by the writer
// (Journal), the reader of other processes' journals (Reader) and all display tools.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::journal {

/// Kind of a record; it determines which sequence numbers change. The values are those in the
/// file.
enum class Kind : std::uint8_t {
  Sent = 1,      ///< A message we numbered. Changes the outgoing number; can be resent.
  Received = 2,  ///< A message accepted by the session. Sets the expected number to `number_after`.
  Held = 3,      ///< A message received ahead of a gap. Changes no number.
  Resent = 4,    ///< A range that we resent, gap fills included. Changes no number; is never resent
                 ///< itself.
  Event = 5,     ///< Both numbers set outside the message flow, or a remark. Has both.
};

/// Type of an Event record. The values are those in the file.
enum class EventType : std::uint8_t {
  None = 0,  ///< The record is not an event.
  NumbersSet =
      1,      ///< An operator set the numbers, or the journal skipped ahead after a power loss.
  Reset = 2,  ///< Sequence numbers were reset; no resend may cross it.
  TradingDay = 3,  ///< A new trading day began.
  Remark = 4,      ///< A note for readers of the journal; numbers are unchanged.
  Epoch = 5,       ///< Another node, or the same one again, leads the journal's failover group from
                   ///< here on; numbers are unchanged. The text is "epoch N, node NAME".
};

/// Name of a value for logs and tools; static text.
[[nodiscard]] const char* to_text(Kind kind) noexcept;
[[nodiscard]] const char* to_text(EventType type) noexcept;

/// Position of a record: the number of its segment, counted from 1, and its byte offset there.
/// Ordered like the records. The default is invalid, and less than all others.
struct Position {
  std::uint32_t segment = 0;
  std::uint32_t offset = 0;

  [[nodiscard]] constexpr bool valid() const noexcept { return segment != 0; }

  friend constexpr auto operator<=>(const Position&, const Position&) = default;
};

/// A position as one word, as it is in files and shared by threads; ordered like the positions.
[[nodiscard]] constexpr std::uint64_t packed(Position position) noexcept {
  return (std::uint64_t{position.segment} << 32) | position.offset;
}

/// The position of such a word.
[[nodiscard]] constexpr Position unpacked(std::uint64_t word) noexcept {
  return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
}

/// Sent messages that were queued while the session was not active, and that no resend has reached.
struct QueuedMessages {
  std::uint32_t unsent = 0;  ///< How many, at most.
  std::uint64_t last = 0;    ///< Number of the last; 0: there are none.

  friend constexpr bool operator==(const QueuedMessages&, const QueuedMessages&) = default;
};

/// One stored record. `bytes` points into the mapping; its source defines how long that is
/// valid.
struct Record {
  Kind kind = Kind::Sent;
  EventType event = EventType::None;
  bool processed = false;  ///< Received: processed by the application, or not meant for it.
  bool message_omitted =
      false;  ///< The journal stores numbers only, and therefore `bytes` is empty.
  /// QueuedMessages::unsent. Sent: not 0 if the message was queued, which it includes. Resent,
  /// Event: after it. Otherwise 0.
  std::uint32_t unsent = 0;
  std::int64_t utc_ns = 0;  ///< Time of the event, nanoseconds since the epoch.
  std::uint64_t sequence =
      0;  ///< MsgSeqNum. Resent: first of the range. Event: next outgoing number.
  /// Sent: the next outgoing number after it. Received, Held: the expected number after it.
  /// Resent: last of the range. Event: the expected number.
  std::uint64_t number_after = 0;
  std::string_view bytes;  ///< The message, or an event's text.
  Position position;
};

/// The number in the text of an EventType::Epoch record; nullopt for other records, and for texts
/// that do not begin with "epoch " and a number.
[[nodiscard]] std::optional<std::uint64_t> epoch_of(const Record& record) noexcept;

}  // namespace affix::inline v0::journal
