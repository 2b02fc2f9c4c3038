// SPDX-License-Identifier: MIT
// Looks up a code in a list that is no simple set of characters or numbers.
#include "affix/messages/code.hpp"

namespace affix::inline v0::messages::detail {

std::uint32_t place_of(const CodeSet& list, std::string_view text) noexcept {
  const auto before = [](std::string_view left, std::string_view right) {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  };
  std::uint32_t low = 0;
  std::uint32_t high = list.count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (before(list.codes[middle].text, text)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < list.count && list.codes[low].text == text ? low : list.count;
}

}  // namespace affix::inline v0::messages::detail
