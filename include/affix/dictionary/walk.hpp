// SPDX-License-Identifier: MIT
// Members as they appear on the wire: components replaced by what they hold, wherever they stand.
// Used by the validator, the generator and everything that prints a message's layout.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace affix::inline v0::dictionary {

/// A field or group of a message, header, trailer or group entry.
struct FlatMember {
  Member member;  ///< Field or Group; its own `required` flag.
  /// Required, and so is every component around it: only then is its absence a fault.
  bool required = false;
  /// Index of the innermost component it came from, or no_component.
  std::uint32_t component = 0;
  /// How many components are around it.
  std::uint32_t depth = 0;
};

inline constexpr std::uint32_t no_component = UINT32_MAX;

/// `members` in wire order with components expanded in place. A group is one entry; its own members
/// are flattened by another call. Allocates; recursion is bounded by the loader's limits.
[[nodiscard]] std::vector<FlatMember> flatten(const Dictionary& dictionary,
                                              std::span<const Member> members);

}  // namespace affix::inline v0::dictionary
