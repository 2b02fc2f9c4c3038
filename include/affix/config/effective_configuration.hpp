// SPDX-License-Identifier: MIT
// The effective configuration: the value of every key of every group, and its source.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/configuration_catalogue.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// Source of a value.
enum class Origin : std::uint8_t {
  Standard,  ///< The key's default.
  Profile,   ///< The session's profile.
  Defaults,  ///< A defaults group; `where` is the line.
  Group,     ///< The group itself; `where` is the line.
};

struct EffectiveValue {
  std::string_view key;
  std::string value;  ///< In file syntax; dots for a secret that is not empty.
  Origin origin = Origin::Standard;
  std::string where;  ///< "file:line"; empty if no line sets it.
};

struct EffectiveGroup {
  GroupKind kind = GroupKind::Engine;
  std::string name;
  std::string where;                   ///< "file:line"; empty for a group that is not in the file.
  std::vector<EffectiveValue> values;  ///< Every key, in the catalogue's order.
};

/// Reads a file like load_configuration(). The engine group comes first even if the file lacks it,
/// the others in file order. Views live as long as the program. Allocates, reads files.
[[nodiscard]] std::expected<std::vector<EffectiveGroup>, Problems> load_effective_configuration(
    const std::string& path);

/// Does the same for a configuration in memory, such as Engine::configuration(). Lines are unknown:
/// each value that differs from the key's default has Origin::Group. Allocates.
[[nodiscard]] std::vector<EffectiveGroup> describe_configuration(
    const Configuration& configuration);

}  // namespace affix::inline v0::config
