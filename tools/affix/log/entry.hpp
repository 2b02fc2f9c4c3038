// SPDX-License-Identifier: MIT
// What every source of a log gives, whatever it reads: messages and events, with what is known of
// them.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools::log {

enum class Direction : std::uint8_t { Unknown, In, Out };

enum class EntryKind : std::uint8_t {
  Message,
  Held,    ///< A message that arrived ahead of a gap; it comes again as a message.
  Resent,  ///< A range of numbers that was sent again.
  Event,   ///< Something else that happened, as text.
};

/// Views live until the source that gave it is asked for its next one.
struct Entry {
  EntryKind kind = EntryKind::Message;
  Direction direction = Direction::Unknown;
  bool unprocessed = false;      ///< The application has not had it.
  bool message_omitted = false;  ///< The journal keeps numbers only.
  std::int64_t utc_ns = 0;       ///< 0: not known.
  std::uint64_t sequence = 0;    ///< MsgSeqNum; 0: not known.
  std::uint64_t number_after = 0;
  std::string_view event;    ///< Name of an event, such as "reset". Static storage.
  std::string_view session;  ///< Lives as long as the source.
  std::string_view bytes;    ///< A message with SOH between its fields, or an event's text.

  [[nodiscard]] bool is_message() const noexcept {
    return (kind == EntryKind::Message || kind == EntryKind::Held) && !bytes.empty();
  }
};

}  // namespace affix::inline v0::tools::log
