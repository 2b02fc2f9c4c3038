// SPDX-License-Identifier: MIT
// What is odd about a dictionary that holds together: warnings only.
#pragma once

#include "affix/dictionary/model.hpp"

#include "dictionary/problems.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::dictionary {

/// Places of what warnings are about, by name.
struct ReviewPlaces {
  std::unordered_map<std::uint32_t, std::uint32_t> fields;  ///< By tag.
  std::unordered_map<std::string_view, std::uint32_t> components;
  std::unordered_map<std::string_view, std::uint32_t> messages;  ///< By type.
};

/// Warns of fields that a list has twice through its components, of header and trailer fields in
/// bodies, of data fields that do not follow their length, of counters that are no numbers and of
/// what a header or trailer lacks. Costs what expanding every list once costs.
void review(const Dictionary& dictionary, const ReviewPlaces& places, Problems& problems);

}  // namespace affix::inline v0::dictionary
