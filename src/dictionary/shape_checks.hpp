// SPDX-License-Identifier: MIT
// Whether components end, groups hold something and nothing grows beyond its limit: what must be
// known before anything expands components.
#pragma once

#include "affix/dictionary/load.hpp"
#include "affix/dictionary/model.hpp"

#include "dictionary/problems.hpp"

#include <cstdint>
#include <vector>

namespace affix::inline v0::dictionary {

/// Where the parts of a dictionary stand in its file, index by index.
struct PartPlaces {
  std::vector<std::uint32_t> components;
  std::vector<std::uint32_t> messages;
  std::vector<std::uint32_t> groups;
};

/// Reports cycles, groups without a field, nesting and sizes beyond the limits. Parts need not be
/// arranged; references are whole. Time grows with the parts, not with what they expand to.
void check_shape(const Parts& parts, const PartPlaces& places, const LoadLimits& limits,
                 Problems& problems);

}  // namespace affix::inline v0::dictionary
