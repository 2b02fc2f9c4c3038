// SPDX-License-Identifier: MIT
// A cheap first test that excludes bytes which cannot match. Those that pass are tested completely.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Filled before reading begins, then read-only.
struct RawFilter {
  /// All of these must occur in the bytes, whatever the delimiter between fields.
  std::vector<std::string> needles;

  /// One of these must occur too, if there are any.
  std::vector<std::string> alternatives;

  /// Logons always pass: they determine the version of the messages after them.
  bool keep_logons = false;

  /// Messages with times outside are not read further; those without a time pass.
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();

  /// True if `bytes`, a message or a whole line, may match. One search per needle.
  [[nodiscard]] bool passes(std::string_view bytes) const noexcept;

  [[nodiscard]] bool passes_time(std::int64_t utc_ns) const noexcept {
    return utc_ns == 0 || (utc_ns >= from_ns && utc_ns <= to_ns);
  }
};

}  // namespace affix::inline v0::tools::log
