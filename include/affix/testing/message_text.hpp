// SPDX-License-Identifier: MIT
// Readable messages for tests: fields separated by `|`; length and checksum are computed.
// Allocates; for tests only.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

/// `8=FIX.4.4|35=0|34=2|...` with 9 added after 8, 10 added at the end, and `|` replaced by SOH. A
/// final `|` is optional.
[[nodiscard]] std::string make_message(std::string_view fields);

/// The same bytes with `|` for SOH.
[[nodiscard]] std::string readable(std::string_view bytes);

/// The value of the first field with `tag`, or "" (has_field detects an absent one).
[[nodiscard]] std::string_view field_of(std::string_view message, std::uint32_t tag);
[[nodiscard]] bool has_field(std::string_view message, std::uint32_t tag);

/// The first message of `bytes`, up to the end of its trailer; all of `bytes` if it has none.
[[nodiscard]] std::string_view first_message(std::string_view bytes);

/// Splits consecutive messages at their trailers.
[[nodiscard]] std::vector<std::string> split_messages(std::string_view bytes);

/// YYYYMMDD-HH:MM:SS.sss of a UTC time.
[[nodiscard]] std::string time_text(std::int64_t utc_ns);

}  // namespace affix::inline v0::testing
