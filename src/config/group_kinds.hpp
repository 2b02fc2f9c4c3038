// SPDX-License-Identifier: MIT
// Kinds of groups, the keys of each kind, and how groups of defaults apply to others.
#pragma once

#include "affix/config/configuration_catalogue.hpp"

#include "config/configuration_lines.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// True if groups of this kind have the key, or know it from another version.
[[nodiscard]] bool kind_has(GroupKind kind, std::string_view key);

/// " (did you mean 'x'?)" or " (it is a key of session groups)" for a key that no group of the kind
/// has; empty when no known key is similar.
[[nodiscard]] std::string suggestion_for(GroupKind kind, std::string_view key);

/// True if the group has an unknown key that is most likely this one misspelt.
[[nodiscard]] bool is_misspelt(const Group& group, std::string_view key);

struct KnownGroup {
  GroupKind kind;
  Group group;
};

struct KnownGroups {
  /// The groups of known kind, in file order, each with the values that it takes from defaults
  /// groups.
  std::vector<KnownGroup> groups;
  /// Only the defaults groups, to check values that no group reads: one for each kind that they
  /// apply to, with that kind's keys.
  std::vector<KnownGroup> defaults;
};

/// Sorts groups by kind. All problems go to `report`.
[[nodiscard]] KnownGroups known_groups(std::vector<Group> groups, Report& report);

}  // namespace affix::inline v0::config
