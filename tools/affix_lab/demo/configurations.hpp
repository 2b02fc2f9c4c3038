// SPDX-License-Identifier: MIT
// The two configuration files of the demonstration, as a user would write them.
#pragma once

#include <string>

namespace affix::inline v0::tools::demo {

/// For the exchange: a port that the kernel chooses, and a session for each trader.
[[nodiscard]] std::string exchange_configuration(const std::string& directory);

/// For the traders: four sessions in three FIX versions, which connect to the exchange at `port`.
[[nodiscard]] std::string traders_configuration(const std::string& directory,
                                                const std::string& port);

}  // namespace affix::inline v0::tools::demo
