// SPDX-License-Identifier: MIT
// Checks the fields of a draft: tags, names, types and value lists; merges or refuses duplicates.
#pragma once

#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/model.hpp"

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::dictionary {

/// The fields, and the position of each by tag and by name. If a duplicate was refused, the first
/// one is found, so that references cause no further problems.
struct PlacedFields {
  std::vector<Field> fields;
  std::vector<std::uint32_t> places;
  std::unordered_map<std::uint32_t, std::uint32_t> by_tag;
  std::unordered_map<std::string_view, std::uint32_t> by_name;
};

[[nodiscard]] PlacedFields place_fields(const Draft& draft, const LoadLimits& limits,
                                        Problems& problems);

/// Reports a name that is empty, too long or contains control characters; `what` is "field",
/// "message".
void check_name(std::string_view name, const char* what, std::uint32_t place,
                const LoadLimits& limits, Problems& problems);

/// Sets the pairs of length and data fields: those of the draft, else those of find_length_tags.
/// `fields` are those of `parts`, arranged.
void settle_data_pairs(const Draft& draft, Parts& parts, const PlacedFields& placed,
                       Problems& problems);

}  // namespace affix::inline v0::dictionary
