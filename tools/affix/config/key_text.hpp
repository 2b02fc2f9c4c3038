// SPDX-License-Identifier: MIT
// Describes keys: one for a terminal, all as the tables of the reference.
#pragma once

#include "affix/config/configuration_catalogue.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::config {

/// Several lines: groups, default, values, units, meaning.
[[nodiscard]] std::string explanation(const affix::config::KeyDescription& key);

/// One line per key, under a line per section.
[[nodiscard]] std::string key_list(const std::vector<affix::config::KeyDescription>& keys);

/// Markdown: a table under a heading per section.
[[nodiscard]] std::string reference_tables(const std::vector<affix::config::KeyDescription>& keys);

}  // namespace affix::inline v0::tools::config
