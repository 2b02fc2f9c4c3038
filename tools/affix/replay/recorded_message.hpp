// SPDX-License-Identifier: MIT
// A recorded or received message in parts: copies of the header fields that a session does not
// write itself, and of its body.
#pragma once

#include "affix/wire/view.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::replay {

struct RecordedField {
  std::uint32_t tag = 0;
  std::string value;

  friend bool operator==(const RecordedField&, const RecordedField&) = default;
};

struct RecordedMessage {
  std::string type;
  std::uint64_t number = 0;           ///< MsgSeqNum.
  std::int64_t utc_ns = 0;            ///< Time of storage in the journal; 0: not from a journal.
  std::vector<RecordedField> header;  ///< Routing and the like, in the message's order.
  std::vector<RecordedField> body;    ///< In the message's order, including groups.

  /// The first value of a body field; empty if missing.
  [[nodiscard]] std::string_view value_of(std::uint32_t tag) const noexcept;
};

/// Copies the fields. Omits those that the session writes (8, 9, 34, 35, 43, 49, 52, 56, 122, 369)
/// and the trailer.
[[nodiscard]] RecordedMessage take_apart(const wire::MessageView& message);

/// "35=8 11=A1 55=IBM": the type, and fields that identify the message for a reader.
[[nodiscard]] std::string summary_of(const RecordedMessage& message);

}  // namespace affix::inline v0::tools::replay
