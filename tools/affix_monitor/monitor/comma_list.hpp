// SPDX-License-Identifier: MIT
// Splits the lists in parameters of requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// The pieces between commas, without spaces around them; none is empty.
[[nodiscard]] std::vector<std::string> pieces_of(std::string_view list);

}  // namespace affix::inline v0::tools::monitor
