// SPDX-License-Identifier: MIT
// Keys in words: one explained for a terminal, all as the tables of the reference.
#pragma once

#include "affix/engine/configuration_catalogue.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::config {

/// Several lines: groups, default, values, units, meaning.
[[nodiscard]] std::string explanation(const engine::KeyDescription& key);

/// A line for each key under a line for each section.
[[nodiscard]] std::string key_list(const std::vector<engine::KeyDescription>& keys);

/// Markdown, a table under a heading for each section.
[[nodiscard]] std::string reference_tables(const std::vector<engine::KeyDescription>& keys);

}  // namespace affix::inline v0::tools::config
