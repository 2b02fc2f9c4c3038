// SPDX-License-Identifier: MIT
// The optimal string alignment distance, row by row.
#include "config/near_miss.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr std::size_t letters_max = 64;

using Row = std::array<std::size_t, letters_max + 1>;

using base::lowered;

/// Both have at most letters_max letters.
std::size_t distance(std::string_view left, std::string_view right) noexcept {
  Row before_last{};
  Row last{};
  Row row{};
  for (std::size_t column = 0; column <= right.size(); ++column) {
    last[column] = column;
  }
  for (std::size_t at = 1; at <= left.size(); ++at) {
    row[0] = at;
    for (std::size_t column = 1; column <= right.size(); ++column) {
      const bool same = lowered(left[at - 1]) == lowered(right[column - 1]);
      row[column] =
          std::min({last[column] + 1, row[column - 1] + 1, last[column - 1] + (same ? 0U : 1U)});
      if (at > 1 && column > 1 && lowered(left[at - 1]) == lowered(right[column - 2]) &&
          lowered(left[at - 2]) == lowered(right[column - 1])) {
        row[column] = std::min(row[column], before_last[column - 2] + 1);
      }
    }
    before_last = std::exchange(last, row);
  }
  return last[right.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word,
                              std::span<const std::string_view> names) noexcept {
  if (word.empty() || word.size() > letters_max) {
    return {};
  }
  std::string_view nearest;
  // With more than a quarter of the letters wrong it is another word.
  std::size_t least = word.size() / 4 + 1;
  for (const std::string_view name : names) {
    if (name.size() > letters_max) {
      continue;
    }
    if (const std::size_t steps = distance(word, name); steps < least) {
      least = steps;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace affix::inline v0::config
