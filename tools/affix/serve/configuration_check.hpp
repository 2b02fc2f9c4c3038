// SPDX-License-Identifier: MIT
// Checks a configuration for `affix serve`.
#pragma once

#include "affix/config/configuration.hpp"

#include <vector>

namespace affix::inline v0::tools::serve {

/// Checks the needs of the selected application and of the administration port, beyond those of
/// every engine. Reads files of tokens.
[[nodiscard]] std::vector<affix::config::Finding> check_for_serving(
    const affix::config::Configuration& configuration);

/// Differences of `wanted` from `running` that need a restart, in groups and keys that belong to
/// the program and not to the engine. Places are groups.
[[nodiscard]] affix::config::Problems fixed_differences(const affix::config::Configuration& running,
                                                        const affix::config::Configuration& wanted);

}  // namespace affix::inline v0::tools::serve
