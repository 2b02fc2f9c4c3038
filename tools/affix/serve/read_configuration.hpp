// SPDX-License-Identifier: MIT
// A configuration as `affix serve` can run it.
#pragma once

#include "affix/engine/configuration.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::serve {

/// The file, and what the application that it chooses asks of it besides. All problems at once, but
/// that those of the application are looked for in a file that is sound otherwise.
[[nodiscard]] std::expected<engine::Configuration, engine::Problems> read_configuration(
    const std::string& path);

/// What the application that a configuration chooses, and the administration port, ask of it beyond
/// what every engine does. A problem's place is "[GROUP]" or "[GROUP] key". Reads files of tokens.
[[nodiscard]] engine::Problems check_for_serving(const engine::Configuration& configuration);

/// What a process that runs `running` cannot take over from `wanted`, of the groups and keys that
/// are the program's and not the engine's. Places are groups.
[[nodiscard]] engine::Problems fixed_differences(const engine::Configuration& running,
                                                 const engine::Configuration& wanted);

}  // namespace affix::inline v0::tools::serve
