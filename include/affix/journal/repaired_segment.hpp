// SPDX-License-Identifier: MIT
// Report of repair() about one segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::journal {

/// One segment that was rewritten, or would be.
struct RepairedSegment {
  std::uint32_t number = 0;
  std::string kept_as;              ///< Path of the damaged file; empty if nothing was applied.
  std::vector<std::string> losses;  ///< Losses found, one sentence each.
};

}  // namespace affix::inline v0::journal
