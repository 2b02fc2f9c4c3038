// SPDX-License-Identifier: MIT
// Output of every source of a log: messages and events, with the known facts about them.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools::log {

enum class Direction : std::uint8_t { Unknown, In, Out };

enum class EntryKind : std::uint8_t {
  Message,
  Held,    ///< A message received ahead of a gap; it appears again as Message when in sequence.
  Resent,  ///< A range of numbers that was resent.
  Event,   ///< Another event, as text.
};

/// Views are valid until the source's next entry is requested.
struct Entry {
  EntryKind kind = EntryKind::Message;
  Direction direction = Direction::Unknown;
  bool unprocessed = false;      ///< The application has not processed it.
  bool message_omitted = false;  ///< The journal keeps numbers only.
  bool queued = false;           ///< Stored while the session was not active, and not sent then.
  std::int64_t utc_ns = 0;       ///< 0: unknown.
  std::uint64_t sequence = 0;    ///< MsgSeqNum; 0: unknown.
  std::uint64_t number_after = 0;
  std::string_view event;    ///< Name of an event, such as "reset". Static storage.
  std::string_view session;  ///< Valid as long as the source.
  std::string_view bytes;    ///< A message with SOH between its fields, or an event's text.

  [[nodiscard]] bool is_message() const noexcept {
    return (kind == EntryKind::Message || kind == EntryKind::Held) && !bytes.empty();
  }
};

}  // namespace affix::inline v0::tools::log
