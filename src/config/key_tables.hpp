// SPDX-License-Identifier: MIT
// Key tables of each kind of group, and values as text.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/configuration_keys.hpp"
#include "config/practice_keys.hpp"

#include <string>
#include <type_traits>
#include <variant>

namespace affix::inline v0::config {

/// Calls `visit` with the table of each class that `Settings` consists of.
template <typename Settings, typename Visit>
void for_each_table(Visit&& visit) {
  if constexpr (std::is_same_v<Settings, EngineSettings>) {
    visit(engine_keys());
    visit(management_keys());
  } else if constexpr (std::is_same_v<Settings, ManagementSettings>) {
    visit(management_keys());
  } else if constexpr (std::is_same_v<Settings, ClientSettings>) {
    visit(client_keys());
    visit(encryption_keys());
    visit(instance_keys());
  } else if constexpr (std::is_same_v<Settings, ServerSettings>) {
    visit(server_keys());
    visit(encryption_keys());
    visit(instance_keys());
  } else if constexpr (std::is_same_v<Settings, SessionSettings>) {
    visit(session_keys());
    visit(practice_keys());
  } else if constexpr (std::is_same_v<Settings, ApplicationSettings>) {
    visit(application_keys());
  } else {
    static_assert(std::is_same_v<Settings, RouteSettings>);
    visit(route_keys());
  }
}

/// Value of one key as a file would write it.
template <typename Settings, typename Base>
[[nodiscard]] std::string value_text(const ConfigurationKey<Base>& key, const Settings& settings) {
  if (const auto* flag = std::get_if<bool Base::*>(&key.member)) {
    return settings.*(*flag) ? "true" : "false";
  }
  if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
    return std::to_string(settings.*(*number));
  }
  return settings.*std::get<std::string Base::*>(key.member);
}

}  // namespace affix::inline v0::config
