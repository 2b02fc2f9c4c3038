// SPDX-License-Identifier: MIT
// The objects and their members.
#include "config/json_text.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::config {

namespace {

using Json = nlohmann::ordered_json;

/// Values may hold bytes that are no UTF-8.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* name_of(engine::Origin origin) noexcept {
  switch (origin) {
    case engine::Origin::Standard:
      return "default";
    case engine::Origin::Profile:
      return "profile";
    case engine::Origin::Defaults:
      return "defaults";
    case engine::Origin::Group:
      return "group";
  }
  return "";
}

}  // namespace

std::string check_json(const std::string& path, const engine::Problems& problems,
                       const std::vector<std::string>& warnings,
                       const engine::Configuration* configuration) {
  Json json{{"file", path}, {"sound", problems.empty()}, {"problems", Json::array()}};
  for (const base::Error& problem : problems) {
    json["problems"].push_back({{"where", problem.where}, {"message", problem.message}});
  }
  json["warnings"] = warnings;
  if (configuration != nullptr) {
    json["clients"] = configuration->clients.size();
    json["servers"] = configuration->servers.size();
    json["sessions"] = configuration->sessions.size();
    json["templates"] = configuration->templates.size();
  }
  return line_of(json);
}

std::string show_json(const std::vector<engine::EffectiveGroup>& groups, bool only_said) {
  Json json = Json::array();
  for (const engine::EffectiveGroup& group : groups) {
    Json values = Json::array();
    for (const engine::EffectiveValue& value : group.values) {
      if (!only_said || value.origin != engine::Origin::Standard) {
        values.push_back({{"key", value.key},
                          {"value", value.value},
                          {"origin", name_of(value.origin)},
                          {"where", value.where}});
      }
    }
    json.push_back({{"name", group.name},
                    {"kind", engine::to_text(group.kind)},
                    {"where", group.where},
                    {"values", std::move(values)}});
  }
  return line_of(json);
}

std::string keys_json(const std::vector<engine::KeyDescription>& keys) {
  Json json = Json::array();
  for (const engine::KeyDescription& key : keys) {
    Json kinds = Json::array();
    for (const engine::GroupKind kind : key.kinds) {
      kinds.push_back(engine::to_text(kind));
    }
    json.push_back({{"name", key.name},
                    {"groups", std::move(kinds)},
                    {"default", key.standard},
                    {"allowed", key.allowed},
                    {"units", key.units},
                    {"meaning", key.meaning},
                    {"secret", key.secret}});
  }
  return line_of(json);
}

}  // namespace affix::inline v0::tools::config
