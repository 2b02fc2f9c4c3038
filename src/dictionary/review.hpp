// SPDX-License-Identifier: MIT
// Finds oddities in a consistent dictionary: warnings only.
#pragma once

#include "affix/dictionary/model.hpp"

#include "dictionary/problems.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::dictionary {

/// Places for warnings, by name.
struct ReviewPlaces {
  std::unordered_map<std::uint32_t, std::uint32_t> fields;  ///< By tag.
  std::unordered_map<std::string_view, std::uint32_t> components;
  std::unordered_map<std::string_view, std::uint32_t> messages;  ///< By type.
};

/// Warns of fields that a list has twice through its components, of header and trailer fields in
/// bodies, of data fields that do not follow their length, of counters that are no numbers and of
/// fields missing from a header or trailer. Costs as much as expanding every list once.
void review(const Dictionary& dictionary, const ReviewPlaces& places, Problems& problems);

}  // namespace affix::inline v0::dictionary
