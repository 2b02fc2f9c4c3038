// SPDX-License-Identifier: MIT
// The one table of configuration keys that the parser reads from: name, member, what is allowed.
#pragma once

#include "affix/engine/configuration.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace affix::inline v0::engine {

/// One key of a group type. `allowed` lists the words of a choice, separated by `|`; numbers use
/// the range.
template <typename Group>
struct ConfigurationKey {
  using GroupType = Group;

  std::string_view name;
  std::variant<bool Group::*, std::int64_t Group::*, std::string Group::*> member;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::string_view allowed = {};
};

[[nodiscard]] std::span<const ConfigurationKey<EngineSettings>> engine_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<InstanceSettings>> instance_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<EncryptionSettings>> encryption_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ClientSettings>> client_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ServerSettings>> server_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<SessionSettings>> session_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ApplicationSettings>> application_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<RouteSettings>> route_keys() noexcept;

/// A key of the field's files that has no effect here, so that nothing is lost by its being
/// ignored: with any value but the one that means "off", a warning says what there is instead.
struct AbsentKey {
  std::string_view name;
  std::string_view off_value;
  std::string_view instead;  ///< What the warning says.
};

[[nodiscard]] std::span<const AbsentKey> absent_keys() noexcept;

}  // namespace affix::inline v0::engine
