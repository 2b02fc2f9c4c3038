// SPDX-License-Identifier: MIT
// Keys of files written for llfix that have another form here: each is translated, and so is its
// value.
#pragma once

#include "config/configuration_lines.hpp"

#include <span>
#include <string_view>

namespace affix::inline v0::config {

/// One such key and its translation, for the reference.
struct ForeignKey {
  std::string_view name;
  std::string_view
      ours;  ///< Comma-separated keys; empty: one value is allowed here, others are refused.
};

[[nodiscard]] std::span<const ForeignKey> foreign_keys() noexcept;

/// Replaces the group's foreign keys by ours, at their lines. A value without a counterpart, and a
/// key that the group has in both forms, go to `report`.
void translate_foreign_keys(Group& group, Report& report);

}  // namespace affix::inline v0::config
