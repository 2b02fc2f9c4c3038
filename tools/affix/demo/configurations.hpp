// SPDX-License-Identifier: MIT
// The two configuration files of the demonstration, as a user would write them.
#pragma once

#include <string>

namespace affix::inline v0::tools::demo {

/// The exchange's: a port that the kernel chooses, and a session for each trader.
[[nodiscard]] std::string exchange_configuration(const std::string& directory);

/// The traders': four sessions in three FIX versions to the exchange at `port`.
[[nodiscard]] std::string traders_configuration(const std::string& directory,
                                                const std::string& port);

}  // namespace affix::inline v0::tools::demo
