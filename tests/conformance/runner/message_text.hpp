// SPDX-License-Identifier: MIT
// Messages in the form of scripts: `tag=value` pieces separated by `|`, placeholders in `<...>`,
// and a header and trailer that are filled in.
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

/// Values of placeholders while a scenario is played.
struct Meaning {
  const Version* version = nullptr;
  Identity identity;
  std::int64_t utc_ns = 0;
};

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Replaces `order(ID)`, `<now>`, `<now-10s>`, `<now+10s>`, `<end>` (16 for an open range),
/// `<begin>` (BeginString), `<us>`, `<them>` (CompIDs), `<long>` (8192 bytes).
[[nodiscard]] std::string expand(std::string_view text, const Meaning& meaning);

/// UTC time stamp with milliseconds, or without before FIX.4.2.
[[nodiscard]] std::string time_text(std::int64_t utc_ns, const Version& version);

/// Pieces of a script's text, already expanded; a piece without `=` has an empty name.
[[nodiscard]] Fields split(std::string_view text, char separator = '|');

/// A complete message from the peer: 8, 9, 35, 34, 49, 56, 52, other header fields, the given
/// fields, 10. Fields given in `text` replace the default, and `tag=<none>` omits one. `sequence`
/// is used if 34 is not given; the result's `numbered` shows that.
struct Written {
  std::string bytes;
  bool numbered = false;
};

[[nodiscard]] Written write_message(std::string_view text, const Meaning& meaning,
                                    std::uint64_t sequence);

/// Unchanged bytes with `|` replaced by SOH; `9=<length>` and `10=<sum>` are filled in.
[[nodiscard]] std::string write_raw(std::string_view text, const Meaning& meaning);

/// Difference of the engine's message from an expectation: `tag=value`, `tag=start*`, `tag=*`,
/// `!tag`, separated by `|`. Empty: none.
[[nodiscard]] std::string difference(std::string_view message, std::string_view expected,
                                     const Meaning& meaning);

/// General fault of an engine's message, regardless of expectations: length, checksum, order of the
/// first fields, identity, time. Empty: none.
[[nodiscard]] std::string form_fault(std::string_view message, const Meaning& meaning);

/// Replaces SOH by `|`.
[[nodiscard]] std::string readable(std::string_view bytes);

[[nodiscard]] std::optional<std::string> value_of(std::string_view message, std::string_view tag);

}  // namespace affix::conformance
