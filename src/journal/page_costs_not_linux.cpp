// SPDX-License-Identifier: MIT
// Only Linux makes pages present in more than one way.
#include "affix/journal/page_costs.hpp"

namespace affix::inline v0::journal {

std::optional<PageCosts> measure_page_costs(const std::string& /*directory*/) {
  return std::nullopt;
}

}  // namespace affix::inline v0::journal
