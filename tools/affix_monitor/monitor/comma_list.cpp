// SPDX-License-Identifier: MIT
// Splits at commas.
#include "monitor/comma_list.hpp"

#include "affix/base/text.hpp"

namespace affix::inline v0::tools::monitor {

std::vector<std::string> pieces_of(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const std::string_view piece = base::trimmed(base::take_part(list, ','), " ");
    if (!piece.empty()) {
      all.emplace_back(piece);
    }
  }
  return all;
}

}  // namespace affix::inline v0::tools::monitor
