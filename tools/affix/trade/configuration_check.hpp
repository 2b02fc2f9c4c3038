// SPDX-License-Identifier: MIT
// Checks a configuration for the additional needs of `affix trade`.
#pragma once

#include "affix/config/configuration.hpp"

namespace affix::inline v0::tools::trade {

/// A problem's place is "[GROUP]" or "[GROUP] key". Reads only the files of tokens.
[[nodiscard]] affix::config::Problems check_configuration(
    const affix::config::Configuration& configuration);

}  // namespace affix::inline v0::tools::trade
