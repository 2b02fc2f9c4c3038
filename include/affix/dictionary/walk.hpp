// SPDX-License-Identifier: MIT
// Expands components into the members that appear on the wire. Used by the validator, the generator
// and all code that prints a message's layout.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace affix::inline v0::dictionary {

/// A field or group of a message, header, trailer or group entry.
struct FlatMember {
  Member member;  ///< Field or Group; its own `required` flag.
  /// Required, like every component around it: only then is its absence a fault.
  bool required = false;
  /// Index of its innermost component, or no_component.
  std::uint32_t component = 0;
  /// Number of components around it.
  std::uint32_t depth = 0;
};

inline constexpr std::uint32_t no_component = UINT32_MAX;

/// Returns `members` in wire order, with components expanded. A group is one entry; flatten its
/// members by another call. Allocates; the loader's limits bound the recursion.
[[nodiscard]] std::vector<FlatMember> flatten(const Dictionary& dictionary,
                                              std::span<const Member> members);

}  // namespace affix::inline v0::dictionary
