// SPDX-License-Identifier: MIT
// What `affix config` says, as JSON: one object or array, a line.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/engine/configuration_catalogue.hpp"
#include "affix/engine/effective_configuration.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::config {

/// What is wrong with a file, and how many groups it has when nothing is (`configuration` not
/// null).
[[nodiscard]] std::string check_json(const std::string& path, const engine::Problems& problems,
                                     const std::vector<std::string>& warnings,
                                     const engine::Configuration* configuration);

/// Only values that somebody said, if `only_said`.
[[nodiscard]] std::string show_json(const std::vector<engine::EffectiveGroup>& groups,
                                    bool only_said);

[[nodiscard]] std::string keys_json(const std::vector<engine::KeyDescription>& keys);

}  // namespace affix::inline v0::tools::config
