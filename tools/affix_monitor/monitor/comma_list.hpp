// SPDX-License-Identifier: MIT
// Splits the lists in parameters of requests.
#pragma once

#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// The pieces between commas, without spaces around them; none is empty.
[[nodiscard]] std::vector<std::string> pieces_of(const std::string& list);

}  // namespace affix::inline v0::tools::monitor
