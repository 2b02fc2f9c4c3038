// SPDX-License-Identifier: MIT
// Messages as scripts write them: `tag=value` pieces with `|` between, placeholders in `<...>`, and
// a header and trailer that are filled in.
#pragma once

#include "stage.hpp"
#include "version.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::conformance {

/// What placeholders stand for in one playing of a scenario.
struct Meaning {
  const Version* version = nullptr;
  Identity identity;
  std::int64_t utc_ns = 0;
};

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Replaces `order(ID)`, `<now>`, `<now-10s>`, `<now+10s>`, `<end>` (16 without end), `<begin>`
/// (BeginString), `<us>`, `<them>` (CompIDs), `<long>` (8192 bytes).
[[nodiscard]] std::string expand(std::string_view text, const Meaning& meaning);

/// UTC time stamp with milliseconds, or none before FIX.4.2.
[[nodiscard]] std::string time_text(std::int64_t utc_ns, const Version& version);

/// Pieces of a script's text, already expanded; a piece without `=` has an empty name.
[[nodiscard]] Fields split(std::string_view text, char separator = '|');

/// A whole message of the peer's: 8, 9, 35, 34, 49, 56, 52, other header fields, the rest as given,
/// 10. What `text` gives itself is taken from there, and `tag=<none>` leaves it out. `sequence` is
/// used when 34 is not given, which the result's `numbered` tells.
struct Written {
  std::string bytes;
  bool numbered = false;
};

[[nodiscard]] Written write_message(std::string_view text, const Meaning& meaning,
                                    std::uint64_t sequence);

/// Bytes as they stand, `|` made SOH; `9=<length>` and `10=<sum>` are filled in.
[[nodiscard]] std::string write_raw(std::string_view text, const Meaning& meaning);

/// What a message of the engine's has against an expectation: `tag=value`, `tag=start*`, `tag=*`,
/// `!tag`, with `|` between. Empty: nothing.
[[nodiscard]] std::string difference(std::string_view message, std::string_view expected,
                                     const Meaning& meaning);

/// What is wrong with any message of the engine's, whatever was expected: length, checksum, order
/// of the first fields, identity, time. Empty: nothing.
[[nodiscard]] std::string form_fault(std::string_view message, const Meaning& meaning);

/// With `|` for SOH.
[[nodiscard]] std::string readable(std::string_view bytes);

[[nodiscard]] std::optional<std::string> value_of(std::string_view message, std::string_view tag);

}  // namespace affix::conformance
