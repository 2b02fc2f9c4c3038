// SPDX-License-Identifier: MIT
// Writes settings as text, each with the entry it was read from.
#include "affix/config/effective_configuration.hpp"

#include "config/key_tables.hpp"
#include "config/read_configuration.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// Value of the key as it is shown: dots for a secret that is not empty.
template <typename Settings, typename Key>
std::string shown_value(const Key& key, const Settings& settings) {
  std::string text = value_text(key, settings);
  return key.secret && !text.empty() ? "..." : text;
}

/// `profile` holds the presets of the group's settings.
template <typename Settings>
EffectiveGroup described(const PlacedGroup& placed, const Settings& settings,
                         const Settings& profile) {
  EffectiveGroup result{placed.known.kind, placed.known.group.name, placed.place, {}};
  const std::vector<Entry>& entries = placed.known.group.entries;
  const Settings standard{};
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      EffectiveValue value{.key = key.name, .value = shown_value(key, settings), .where = {}};
      const auto entry =
          std::find_if(entries.begin(), entries.end(),
                       [&key](const Entry& candidate) { return candidate.key == key.name; });
      if (entry != entries.end()) {
        value.origin = entry->inherited ? Origin::Defaults : Origin::Group;
        value.where = placed.entry_places[static_cast<std::size_t>(entry - entries.begin())];
      } else if (!same_value(key, profile, standard)) {
        value.origin = Origin::Profile;
      }
      result.values.push_back(std::move(value));
    }
  });
  return result;
}

template <typename Settings>
EffectiveGroup described(const PlacedGroup& placed, const Settings& settings) {
  return described(placed, settings, Settings());
}

template <typename Settings>
EffectiveGroup described(GroupKind kind, std::string name, const Settings& settings) {
  EffectiveGroup result{kind, std::move(name), {}, {}};
  const Settings standard{};
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      EffectiveValue value{.key = key.name, .value = shown_value(key, settings), .where = {}};
      if (!same_value(key, settings, standard)) {
        value.origin = Origin::Group;
      }
      result.values.push_back(std::move(value));
    }
  });
  return result;
}

}  // namespace

std::vector<EffectiveGroup> describe_configuration(const Configuration& configuration) {
  std::vector<EffectiveGroup> groups;
  groups.push_back(described(GroupKind::Engine, "ENGINE", configuration.engine));
  for (const ClientSettings& client : configuration.clients) {
    groups.push_back(described(GroupKind::Client, client.name, client));
  }
  for (const ServerSettings& server : configuration.servers) {
    groups.push_back(described(GroupKind::Server, server.name, server));
  }
  for (const SessionSettings& session : configuration.sessions) {
    groups.push_back(described(GroupKind::Session, session.name, session));
  }
  for (const SessionSettings& made_from : configuration.templates) {
    groups.push_back(described(GroupKind::Session, made_from.name, made_from));
  }
  groups.push_back(described(GroupKind::Application, "APPLICATION", configuration.application));
  for (const RouteSettings& route : configuration.routes) {
    groups.push_back(described(GroupKind::Route, route.name, route));
  }
  for (const FailoverSettings& failover : configuration.failovers) {
    groups.push_back(described(GroupKind::Failover, failover.name, failover));
  }
  return groups;
}

std::expected<std::vector<EffectiveGroup>, Problems> load_effective_configuration(
    const std::string& path) {
  const auto read = read_configuration_file(path);
  if (!read) {
    return std::unexpected(read.error());
  }
  const Configuration& configuration = read->configuration;
  std::vector<EffectiveGroup> groups;
  // Settings are in the order of their groups.
  auto client = configuration.clients.begin();
  auto server = configuration.servers.begin();
  auto session = configuration.sessions.begin();
  auto made_from = configuration.templates.begin();
  auto route = configuration.routes.begin();
  auto failover = configuration.failovers.begin();
  groups.push_back(described(PlacedGroup{{GroupKind::Engine, {"ENGINE", {}, {}}}, {}, {}},
                             configuration.engine));
  for (const PlacedGroup& placed : read->groups) {
    switch (placed.known.kind) {
      case GroupKind::Engine:
        groups.front() = described(placed, configuration.engine);
        break;
      case GroupKind::Client:
        groups.push_back(described(placed, *client++));
        break;
      case GroupKind::Server:
        groups.push_back(described(placed, *server++));
        break;
      case GroupKind::Session: {
        const bool is_template = made_from != configuration.templates.end() &&
                                 made_from->name == placed.known.group.name;
        const SessionSettings& settings = is_template ? *made_from++ : *session++;
        groups.push_back(described(placed, settings, settings_of_profile(settings.profile)));
        break;
      }
      case GroupKind::Application:
        groups.push_back(described(placed, configuration.application));
        break;
      case GroupKind::Route:
        groups.push_back(described(placed, *route++));
        break;
      case GroupKind::Failover:
        groups.push_back(described(placed, *failover++));
        break;
    }
  }
  return groups;
}

}  // namespace affix::inline v0::config
