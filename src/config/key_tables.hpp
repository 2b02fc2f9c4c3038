// SPDX-License-Identifier: MIT
// Key tables of each kind of group, and values as text.
#pragma once

#include "affix/base/choice.hpp"
#include "affix/config/configuration.hpp"

#include "config/configuration_keys.hpp"
#include "config/practice_keys.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace affix::inline v0::config {

/// Calls `visit` with the table of each class that `Settings` consists of.
template <typename Settings, typename Visit>
void for_each_table(Visit&& visit) {
  if constexpr (std::is_same_v<Settings, EngineSettings>) {
    visit(engine_keys());
    visit(management_keys());
    visit(node_keys());
  } else if constexpr (std::is_same_v<Settings, ManagementSettings>) {
    visit(management_keys());
  } else if constexpr (std::is_same_v<Settings, NodeSettings>) {
    visit(node_keys());
  } else if constexpr (std::is_same_v<Settings, InstanceSettings>) {
    visit(encryption_keys());
    visit(instance_keys());
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
  } else if constexpr (std::is_same_v<Settings, RouteSettings>) {
    visit(route_keys());
  } else {
    static_assert(std::is_same_v<Settings, FailoverSettings>);
    visit(failover_keys());
  }
}

/// True if these settings have the feature on; false for a group that cannot have it.
template <typename Settings>
[[nodiscard]] bool has_feature(Feature feature, const Settings& settings) noexcept {
  switch (feature) {
    case Feature::Always:
      return true;
    case Feature::Encryption:
      if constexpr (std::is_base_of_v<EncryptionSettings, Settings>) {
        return settings.tls == Encryption::On;
      }
      break;
    case Feature::StoredJournal:
      if constexpr (std::is_base_of_v<SessionSettings, Settings>) {
        return settings.durability != journal::Durability::Memory;
      }
      break;
    case Feature::AdministrationPort:
      if constexpr (std::is_base_of_v<ManagementSettings, Settings>) {
        return settings.management_server_port != 0;
      }
      break;
    case Feature::Failover:
      if constexpr (std::is_base_of_v<NodeSettings, Settings>) {
        return !settings.node.empty();
      }
      break;
  }
  return false;
}

/// The feature of the key `name`; nothing for a key that the group does not have.
template <typename Settings>
[[nodiscard]] std::optional<Feature> feature_of(std::string_view name) noexcept {
  std::optional<Feature> feature;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      if (key.name == name) {
        feature = key.feature;
      }
    }
  });
  return feature;
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
  if (const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member)) {
    return std::string(base::choice_at(key.allowed, choice->place(settings)));
  }
  return settings.*std::get<std::string Base::*>(key.member);
}

/// Value of the key `name` as a file would write it; empty if there is no such key.
template <typename Settings>
[[nodiscard]] std::string value_text(std::string_view name, const Settings& settings) {
  std::string text;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      if (key.name == name) {
        text = value_text(key, settings);
      }
    }
  });
  return text;
}

/// The two have the same value of a key.
template <typename Settings, typename Base>
[[nodiscard]] bool same_value(const ConfigurationKey<Base>& key, const Settings& one,
                              const Settings& other) {
  if (const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member)) {
    return choice->place(one) == choice->place(other);
  }
  return std::visit(
      [&](const auto member) {
        if constexpr (std::is_member_pointer_v<decltype(member)>) {
          return one.*member == other.*member;
        } else {
          return true;
        }
      },
      key.member);
}

}  // namespace affix::inline v0::config
