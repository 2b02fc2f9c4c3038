// SPDX-License-Identifier: MIT
// What `affix trade` asks of a configuration beyond what every engine does.
#pragma once

#include "affix/engine/configuration.hpp"

namespace affix::inline v0::tools::trade {

/// A problem's place is "[GROUP]" or "[GROUP] key". Reads the files of tokens, nothing else.
[[nodiscard]] engine::Problems check_configuration(const engine::Configuration& configuration);

}  // namespace affix::inline v0::tools::trade
