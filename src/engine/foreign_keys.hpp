// SPDX-License-Identifier: MIT
// Keys that files written for llfix have and ours say otherwise: each becomes ours, with its value
// in our words.
#pragma once

#include "engine/configuration_lines.hpp"

#include <span>
#include <string_view>

namespace affix::inline v0::engine {

/// One of those keys, and what becomes of it, for the reference.
struct ForeignKey {
  std::string_view name;
  std::string_view
      ours;  ///< Keys with commas between; empty: one value is as here, others refused.
};

[[nodiscard]] std::span<const ForeignKey> foreign_keys() noexcept;

/// Puts our keys in place of the group's foreign ones, at their lines. A value that has no
/// counterpart here, and a key that the group has in both forms, go to `report`.
void translate_foreign_keys(Group& group, Report& report);

}  // namespace affix::inline v0::engine
