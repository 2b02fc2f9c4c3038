// SPDX-License-Identifier: MIT
// A FIX message in a line of somebody's log: where it begins, what stands between its fields, and
// what the text in front of it says.
#pragma once

#include "log/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Where a message begins in a text, and the bytes between its fields: SOH, "|", "^A", "<SOH>", or
/// whatever stands between the first two.
struct MessageStart {
  std::size_t begin = 0;
  std::string_view delimiter;  ///< Views the text.
};

/// The first `8=FIX...` that `9=` follows, behind at most eight bytes. O(text).
[[nodiscard]] std::optional<MessageStart> find_message(std::string_view text) noexcept;

/// Length of the message at the begin of `text`, a line's rest: up to and with the checksum's
/// delimiter, or without one where the log leaves it out; the whole text when there is no checksum.
[[nodiscard]] std::size_t message_length(std::string_view text,
                                         std::string_view delimiter) noexcept;

/// Appends a message with SOH between its fields, and behind the last. A delimiter that no tag
/// follows belongs to a value.
void append_with_soh(std::string& to, std::string_view message, std::string_view delimiter);

/// What the text in front of a message says, as far as it does.
struct LinePrefix {
  std::int64_t utc_ns = 0;  ///< 0: no time.
  Direction direction = Direction::Unknown;
};

/// Takes the first time stamp, as YYYYMMDD-HH:MM:SS or YYYY-MM-DD HH:MM:SS with or without a
/// fraction and a zone, and a word such as `in`, `outgoing`, `sent`, `<-`.
[[nodiscard]] LinePrefix read_prefix(std::string_view prefix) noexcept;

/// The time alone, 0 without one.
[[nodiscard]] std::int64_t read_prefix_time(std::string_view prefix) noexcept;

/// The time stamp that `text` begins with.
struct TimeRead {
  std::int64_t utc_ns = 0;
  std::size_t size = 0;  ///< Characters it takes; 0: there is none.
};

[[nodiscard]] TimeRead read_time(std::string_view text) noexcept;

}  // namespace affix::inline v0::tools::log
