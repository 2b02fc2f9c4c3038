// SPDX-License-Identifier: MIT
// What a replay has found, as text.
#pragma once

#include "replay/comparison.hpp"

#include <cstddef>
#include <cstdio>
#include <string>

namespace affix::inline v0::tools::replay {

/// A paragraph for each answer that differs, is missing or was not there before, `shown_max` at
/// most of each kind, then one line of counts.
/// The same with every answer, as one JSON object on a line.
[[nodiscard]] std::string report_json(const Comparison& comparison, std::size_t sent_count);

void print_report(const Comparison& comparison, std::size_t sent_count, std::size_t shown_max,
                  std::FILE* out);

/// Nothing differs.
[[nodiscard]] bool same(const Comparison& comparison) noexcept;

}  // namespace affix::inline v0::tools::replay
