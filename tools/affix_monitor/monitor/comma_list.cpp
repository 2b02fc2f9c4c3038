// SPDX-License-Identifier: MIT
// Splits at commas.
#include "monitor/comma_list.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::monitor {

std::vector<std::string> pieces_of(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.size(), list.find(',', at));
    const std::size_t first = std::min(end, list.find_first_not_of(' ', at));
    std::string piece = list.substr(first, end - first);
    while (!piece.empty() && piece.back() == ' ') {
      piece.pop_back();
    }
    if (!piece.empty()) {
      all.push_back(std::move(piece));
    }
    at = end + 1;
  }
  return all;
}

}  // namespace affix::inline v0::tools::monitor
