// SPDX-License-Identifier: MIT
// Finds and reads the files of scenarios.
#pragma once

#include "certify/names.hpp"
#include "certify/scenario.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

/// All scenarios of files and of directories of *.scenario, whose subdirectories are included, in
/// the order of their paths. The error has every problem of all files.
[[nodiscard]] std::expected<std::vector<Scenario>, std::string> read_all_scenarios(
    const std::vector<std::string>& paths);

/// Names in the scenario's steps that the version's dictionary does not have, a line each; empty:
/// none.
[[nodiscard]] std::string unknown_names(const Scenario& scenario, const Version& version,
                                        const VersionNames& names);

}  // namespace affix::inline v0::certify
