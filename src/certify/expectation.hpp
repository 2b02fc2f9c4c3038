// SPDX-License-Identifier: MIT
// Compares an engine's message with what a scenario expects of it.
#pragma once

#include "certify/message_text.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::certify {

/// Values of `<new NAME>` so far, by name.
using SeenValues = std::map<std::string, std::set<std::string>, std::less<>>;

/// Result of a comparison.
struct Comparison {
  std::vector<std::string> differences;  ///< A line each: "OrdStatus (39): expected ..., got ...".
  Variables kept;                        ///< Values of `<keep NAME>` and `<new NAME>`.
  std::vector<std::pair<std::string, std::string>> seen;  ///< Values of `<new NAME>`.

  [[nodiscard]] bool same() const noexcept { return differences.empty(); }
};

/// Compares each piece of the expectation; other fields of the message do not matter.
[[nodiscard]] Comparison compare(std::string_view message, const std::vector<Piece>& expected,
                                 const Meaning& meaning, const SeenValues& seen);

/// The expectation with its variables' values: "ExecutionReport (8), OrdStatus (39) = FILLED (2)".
[[nodiscard]] std::string describe(const std::vector<Piece>& expected, const Meaning& meaning);

/// How two values compare: as numbers if both are, else as texts. `sign` is =, !=, <, <=, > or >=.
[[nodiscard]] bool holds(std::string_view left, std::string_view sign, std::string_view right);

/// Value of "A + B", "A - B" or "A * B" if both are numbers; else the text itself.
[[nodiscard]] std::string calculated(std::string_view text);

}  // namespace affix::inline v0::certify
