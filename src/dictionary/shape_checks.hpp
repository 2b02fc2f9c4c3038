// SPDX-License-Identifier: MIT
// Checks that components end, groups have members and sizes stay below limits: required before any
// code expands components.
#pragma once

#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/model.hpp"

#include "dictionary/problems.hpp"

#include <cstdint>
#include <vector>

namespace affix::inline v0::dictionary {

/// Places of a dictionary's parts in its file, index by index.
struct PartPlaces {
  std::vector<std::uint32_t> components;
  std::vector<std::uint32_t> messages;
  std::vector<std::uint32_t> groups;
};

/// Reports cycles, groups without a field, nesting and sizes beyond the limits. Parts need not be
/// arranged; references are valid. Time grows with the parts, not with their expansion.
void check_shape(const Parts& parts, const PartPlaces& places, const LoadLimits& limits,
                 Problems& problems);

}  // namespace affix::inline v0::dictionary
