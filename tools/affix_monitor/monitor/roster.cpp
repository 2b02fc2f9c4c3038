// SPDX-License-Identifier: MIT
// Looks settings up once.
#include "monitor/roster.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

std::string directory_of(const std::string& file) {
  const std::string parent = std::filesystem::path(file).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

std::expected<Roster, affix::config::Problems> Roster::of(
    const affix::config::Configuration& configuration, std::string base) {
  Roster roster;
  roster.base_ = std::move(base);
  affix::config::Problems problems;
  for (const affix::config::SessionSettings& settings : configuration.sessions) {
    auto hours = affix::config::SessionHours::of(settings);
    if (!hours) {
      problems.insert(problems.end(), hours.error().begin(), hours.error().end());
      continue;
    }
    WatchedSession& session = roster.sessions_.emplace_back();
    session.settings = settings;
    roster.by_name_.emplace(settings.name, roster.sessions_.size() - 1);
    session.hours = std::move(*hours);
    session.journal = roster.resolve(affix::config::journal_directory_of(settings));
    const auto owns = [&](const affix::config::InstanceSettings& instance) {
      return settings.instance.empty() || instance.name == settings.instance;
    };
    const auto client = std::ranges::find_if(configuration.clients, owns);
    const auto server = std::ranges::find_if(configuration.servers, owns);
    session.initiator = client != configuration.clients.end();
    session.instance = session.initiator                       ? client->name
                       : server != configuration.servers.end() ? server->name
                                                               : settings.instance;
  }
  roster.templates_ = configuration.templates;
  for (const auto* const groups : {&configuration.sessions, &configuration.templates}) {
    for (const affix::config::SessionSettings& settings : *groups) {
      if (settings.durability != journal::Durability::Memory) {
        roster.add_place(settings.journal_path, "journals");
      }
    }
  }
  if (!configuration.engine.log_file.empty()) {
    roster.add_place(directory_of(configuration.engine.log_file), "log");
  }
  if (!configuration.engine.counters_file.empty()) {
    roster.add_place(directory_of(configuration.engine.counters_file), "counters");
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return roster;
}

std::string Roster::resolve(const std::string& path) const {
  const bool leads_from_base = !path.empty() && !base_.empty() && path.front() != '/';
  return leads_from_base ? base_ + '/' + path : path;
}

void Roster::add_place(std::string path, const char* used) {
  path = resolve(path);
  const auto is_it = [&](const Place& place) { return place.path == path; };
  if (std::ranges::none_of(places_, is_it)) {
    places_.push_back({std::move(path), used});
  }
}

const WatchedSession* Roster::find(std::string_view name) const noexcept {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &sessions_[found->second];
}

const affix::config::SessionSettings* Roster::find_template(std::string_view name) const noexcept {
  const std::string_view group = name.substr(0, name.find('/'));
  const auto found = std::ranges::find_if(
      templates_, [&](const affix::config::SessionSettings& each) { return each.name == group; });
  return found == templates_.end() ? nullptr : &*found;
}

const affix::config::SessionSettings* Roster::find_settings(std::string_view name) const noexcept {
  const WatchedSession* const session = find(name);
  return session != nullptr ? &session->settings : find_template(name);
}

}  // namespace affix::inline v0::tools::monitor
