// SPDX-License-Identifier: MIT
// Checks a configuration for the additional needs of a program, for that program and for
// `affix config check --for`.
#pragma once

#include "affix/config/configuration.hpp"

namespace affix::inline v0::tools {

// A problem's place is "[GROUP]" or "[GROUP] key". These read only the files of tokens.

/// For `affix-lab exchange`: one book, one thread.
[[nodiscard]] affix::config::Problems check_for_exchange(
    const affix::config::Configuration& configuration);

/// For `affix-lab trade`: orders need a session.
[[nodiscard]] affix::config::Problems check_for_trade(
    const affix::config::Configuration& configuration);

/// For `affix-monitor`: it reads counters and tokens.
[[nodiscard]] affix::config::Problems check_for_monitor(
    const affix::config::Configuration& configuration);

}  // namespace affix::inline v0::tools
