// SPDX-License-Identifier: MIT
// What a configuration file comes to: the value of every key of every group, and who said it.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/engine/configuration_catalogue.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Who said a value.
enum class Origin : std::uint8_t {
  Standard,  ///< Nobody: it is the key's default.
  Profile,   ///< The session's profile.
  Defaults,  ///< A defaults group; `where` has the line.
  Group,     ///< The group itself; `where` has the line.
};

struct EffectiveValue {
  std::string_view key;
  std::string value;  ///< As a file would say it; dots for a secret that is not empty.
  Origin origin = Origin::Standard;
  std::string where;  ///< "file:line"; empty for what no line says.
};

struct EffectiveGroup {
  GroupKind kind = GroupKind::Engine;
  std::string name;
  std::string where;                   ///< "file:line"; empty for a group that no file has.
  std::vector<EffectiveValue> values;  ///< Every key, in the catalogue's order.
};

/// Reads a file as load_configuration() does. The engine comes first, whether or not the file has a
/// group for it, the others in file order. Views live as long as the program.
[[nodiscard]] std::expected<std::vector<EffectiveGroup>, Problems> load_effective_configuration(
    const std::string& path);

/// The same of a configuration in memory, such as Engine::configuration(). No line is known then:
/// what differs from the key's default is the group's.
[[nodiscard]] std::vector<EffectiveGroup> describe_configuration(
    const Configuration& configuration);

}  // namespace affix::inline v0::engine
