// SPDX-License-Identifier: MIT
// Checks a configuration for the additional needs of a program, for that program and for
// `affix config check --for`.
#pragma once

#include "affix/config/configuration.hpp"

#include <vector>

namespace affix::inline v0::tools {

// These read only the files of tokens.

/// For `affix-lab exchange`: one book, one thread.
[[nodiscard]] std::vector<affix::config::Finding> check_for_exchange(
    const affix::config::Configuration& configuration);

/// For `affix-lab trade`: orders need a session.
[[nodiscard]] std::vector<affix::config::Finding> check_for_trade(
    const affix::config::Configuration& configuration);

/// For `affix-monitor`: it reads counters and tokens.
[[nodiscard]] std::vector<affix::config::Finding> check_for_monitor(
    const affix::config::Configuration& configuration);

}  // namespace affix::inline v0::tools
