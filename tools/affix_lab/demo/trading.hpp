// SPDX-License-Identifier: MIT
// The trade of both demonstrations, and how a user reads what they leave.
#pragma once

#include "trade/client.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::demo {

/// The flow of each trader.
[[nodiscard]] trade::ClientOptions flow_of(double duration_seconds, std::int64_t rate);

/// A path of the program `affix` that the user can type, since a build tree is not in PATH.
[[nodiscard]] std::string reader_path();

}  // namespace affix::inline v0::tools::demo
