// SPDX-License-Identifier: MIT
// A message of a live session, as a journal, a text log or a capture has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::certify {

struct RecordedMessage {
  std::string bytes;        ///< With SOH between its fields.
  std::int64_t utc_ns = 0;  ///< 0: unknown.
};

/// Value of the first field with this tag; empty: there is none.
[[nodiscard]] std::string_view field_value(std::string_view message, std::string_view tag);

/// Heartbeat, TestRequest, ResendRequest, SequenceReset: in application scenarios the player sends
/// and answers them itself.
[[nodiscard]] bool is_kept_by_player(std::string_view type);

/// True for tags of ids that one of the sides makes up, such as ClOrdID (11).
[[nodiscard]] bool is_id(std::string_view tag);

}  // namespace affix::inline v0::tools::certify
