// SPDX-License-Identifier: MIT
// Finds a FIX message in a log line of any engine: its beginning, the delimiter between its fields,
// and the facts in the text before it.
#pragma once

#include "log/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Position of a message in a text, and the bytes between its fields: SOH, "|", "^A", "<SOH>", or
/// those between the first two.
struct MessageStart {
  std::size_t begin = 0;
  std::string_view delimiter;  ///< Views the text.
};

/// The first `8=FIX...` followed, after a delimiter of at most eight bytes, by `9=`. O(text).
[[nodiscard]] std::optional<MessageStart> find_message(std::string_view text) noexcept;

/// Length of the message at the beginning of `text`, the rest of a line: up to the delimiter after
/// the checksum, included if present; the whole text if there is no checksum.
[[nodiscard]] std::size_t message_length(std::string_view text,
                                         std::string_view delimiter) noexcept;

/// Appends a message with SOH between its fields and after the last. A delimiter without a
/// following tag belongs to a value.
void append_with_soh(std::string& to, std::string_view message, std::string_view delimiter);

/// Facts from the text before a message, as far as known.
struct LinePrefix {
  std::int64_t utc_ns = 0;  ///< 0: unknown.
  Direction direction = Direction::Unknown;
};

/// Uses the first time stamp, as YYYYMMDD-HH:MM:SS or YYYY-MM-DD HH:MM:SS with or without a
/// fraction and a zone, and a word such as `in`, `outgoing`, `sent`, `<-`.
[[nodiscard]] LinePrefix read_prefix(std::string_view prefix) noexcept;

/// Only the time; 0 without one.
[[nodiscard]] std::int64_t read_prefix_time(std::string_view prefix) noexcept;

/// The time stamp at the beginning of `text`.
struct TimeRead {
  std::int64_t utc_ns = 0;
  std::size_t size = 0;  ///< Its length in characters; 0: there is none.
};

[[nodiscard]] TimeRead read_time(std::string_view text) noexcept;

}  // namespace affix::inline v0::tools::log
