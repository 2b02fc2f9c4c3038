// SPDX-License-Identifier: MIT
// Results of a replay, as text and as JSON.
#pragma once

#include "replay/comparison.hpp"

#include <cstddef>
#include <cstdio>
#include <string>

namespace affix::inline v0::tools::replay {

/// A paragraph for each answer that differs, is missing or is new, at most `shown_max` of each
/// kind, then one line of counts. As JSON: every answer, as one object on a line.
[[nodiscard]] std::string report_json(const Comparison& comparison, std::size_t sent_count);

void print_report(const Comparison& comparison, std::size_t sent_count, std::size_t shown_max,
                  std::FILE* out);

/// True if nothing differs.
[[nodiscard]] bool same(const Comparison& comparison) noexcept;

}  // namespace affix::inline v0::tools::replay
