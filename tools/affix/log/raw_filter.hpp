// SPDX-License-Identifier: MIT
// The cheap look at bytes that comes before anything else: which of them cannot be what is asked
// for. What passes is looked at properly.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Filled before reading begins, read-only then.
struct RawFilter {
  /// Each must be in the bytes somewhere, whatever stands between fields.
  std::vector<std::string> needles;

  /// One of these too, if there are any.
  std::vector<std::string> alternatives;

  /// Logons pass whatever they hold: they say which version the messages behind them have.
  bool keep_logons = false;

  /// Times outside need not be read further; a time that is not known passes.
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();

  /// Whether `bytes`, a message or a whole line, may match. One search per needle.
  [[nodiscard]] bool passes(std::string_view bytes) const noexcept;

  [[nodiscard]] bool passes_time(std::int64_t utc_ns) const noexcept {
    return utc_ns == 0 || (utc_ns >= from_ns && utc_ns <= to_ns);
  }
};

}  // namespace affix::inline v0::tools::log
