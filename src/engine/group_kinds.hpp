// SPDX-License-Identifier: MIT
// What kind of group each is, which keys a kind has, and what groups of defaults give to others.
#pragma once

#include "affix/engine/configuration_catalogue.hpp"

#include "engine/configuration_lines.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Whether groups of this kind have the key, or know it as one of another version.
[[nodiscard]] bool kind_has(GroupKind kind, std::string_view key);

/// " (did you mean 'x'?)" or " (it is a key of session groups)" for a key that no group of the kind
/// has; empty when nothing is near.
[[nodiscard]] std::string suggestion_for(GroupKind kind, std::string_view key);

/// Whether the group has a key that nobody knows and that was likely meant to be this one.
[[nodiscard]] bool is_misspelt(const Group& group, std::string_view key);

struct KnownGroup {
  GroupKind kind;
  Group group;
};

struct KnownGroups {
  /// The groups whose kind is known, in file order, each with what the defaults groups say that it
  /// does not say itself.
  std::vector<KnownGroup> groups;
  /// The defaults groups alone, for values that no group would read: one for each kind that they
  /// are for, with that kind's keys.
  std::vector<KnownGroup> defaults;
};

/// Sorts groups by their kinds. Everything wrong goes to `report`.
[[nodiscard]] KnownGroups known_groups(std::vector<Group> groups, Report& report);

}  // namespace affix::inline v0::engine
