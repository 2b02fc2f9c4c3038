// SPDX-License-Identifier: MIT
// The rare look-ups: large tags and long types.

#include "dictionary/validation_tables.hpp"

#include <algorithm>

namespace affix::inline v0::dictionary {

TagEntry ValidationTables::entry_of_large(std::uint32_t tag) const noexcept {
  const auto found =
      std::ranges::lower_bound(large_tags, tag, {}, &std::pair<std::uint32_t, TagEntry>::first);
  return found != large_tags.end() && found->first == tag ? found->second : TagEntry();
}

const Level& ValidationTables::level_of_long(std::string_view type) const noexcept {
  for (const LongType& known : long_types) {
    if (known.text == type) {
      return levels[known.level];
    }
  }
  return levels[0];
}

}  // namespace affix::inline v0::dictionary
