// SPDX-License-Identifier: MIT
// What a journal holds: records of both directions in the order they happened. Shared by the writer
// (Journal), the reader of other processes' journals (Reader) and everything that shows them.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::journal {

/// What a record is, and so which of the two sequence numbers it moves. The values are those in the
/// file.
enum class Kind : std::uint8_t {
  Sent = 1,      ///< A message we numbered. Moves the outgoing number; can be resent.
  Received = 2,  ///< A message the session accepted. Moves the expected number to `number_after`.
  Held = 3,      ///< A message that arrived ahead of a gap. Moves nothing.
  Resent =
      4,      ///< A range we sent again, gap fills included. Moves nothing, is never resent itself.
  Event = 5,  ///< Both numbers set from outside the message flow, or a remark. Carries both.
};

/// What an Event record tells. The values are those in the file.
enum class EventType : std::uint8_t {
  None = 0,  ///< The record is not an event.
  NumbersSet =
      1,  ///< Somebody set the numbers by hand, or the journal skipped ahead after a power loss.
  Reset = 2,       ///< Sequence numbers were reset; no resend reaches back past it.
  TradingDay = 3,  ///< A new trading day began.
  Remark = 4,      ///< Text for whoever reads the journal; the numbers are those before it.
};

/// Static text of a kind, for logs and tools.
[[nodiscard]] const char* to_text(Kind kind) noexcept;
[[nodiscard]] const char* to_text(EventType type) noexcept;

/// Where a record is: the number of its segment, counted from 1, and its byte offset there. Ordered
/// as the records are. Default constructed it is no position at all, and before every other.
struct Position {
  std::uint32_t segment = 0;
  std::uint32_t offset = 0;

  [[nodiscard]] constexpr bool valid() const noexcept { return segment != 0; }

  friend constexpr auto operator<=>(const Position&, const Position&) = default;
};

/// One record as it is stored. `bytes` points into the mapping and lives as long as its source
/// says.
struct Record {
  Kind kind = Kind::Sent;
  EventType event = EventType::None;
  bool processed = false;  ///< Received: the application has had it, or was never meant to.
  bool message_omitted =
      false;                ///< The journal keeps numbers only; `bytes` is empty for that reason.
  std::int64_t utc_ns = 0;  ///< When it happened, nanoseconds since the epoch.
  std::uint64_t sequence =
      0;  ///< MsgSeqNum. Resent: first of the range. Event: next outgoing number.
  /// Sent: the next outgoing number after it. Received, Held: the expected number after it.
  /// Resent: last of the range. Event: the expected number.
  std::uint64_t number_after = 0;
  std::string_view bytes;  ///< The message, or an event's text.
  Position position;
};

}  // namespace affix::inline v0::journal
