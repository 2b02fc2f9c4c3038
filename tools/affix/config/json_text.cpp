// SPDX-License-Identifier: MIT
// Builds objects and their members.
#include "config/json_text.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::config {

namespace {

using Json = nlohmann::ordered_json;

/// Values may contain bytes that are not UTF-8.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

const char* name_of(affix::config::Origin origin) noexcept {
  switch (origin) {
    case affix::config::Origin::Standard:
      return "default";
    case affix::config::Origin::Profile:
      return "profile";
    case affix::config::Origin::Defaults:
      return "defaults";
    case affix::config::Origin::Group:
      return "group";
  }
  return "";
}

std::string check_json(const std::string& path, const affix::config::Problems& problems,
                       const affix::config::Problems& warnings,
                       const affix::config::Configuration* configuration) {
  Json json{{"file", path}, {"sound", problems.empty()}, {"problems", Json::array()}};
  for (const base::Error& problem : problems) {
    json["problems"].push_back({{"where", problem.where},
                                {"message", problem.message},
                                {"code", problem.message_code.text()}});
  }
  json["warnings"] = Json::array();
  for (const base::Error& warning : warnings) {
    json["warnings"].push_back(warning.text());
  }
  if (configuration != nullptr) {
    json["clients"] = configuration->clients.size();
    json["servers"] = configuration->servers.size();
    json["sessions"] = configuration->sessions.size();
    json["templates"] = configuration->templates.size();
  }
  return line_of(json);
}

std::string show_json(const std::vector<affix::config::EffectiveGroup>& groups, bool only_said) {
  Json json = Json::array();
  for (const affix::config::EffectiveGroup& group : groups) {
    Json values = Json::array();
    for (const affix::config::EffectiveValue& value : group.values) {
      if (!only_said || value.origin != affix::config::Origin::Standard) {
        values.push_back({{"key", value.key},
                          {"value", value.value},
                          {"origin", name_of(value.origin)},
                          {"where", value.where}});
      }
    }
    json.push_back({{"name", group.name},
                    {"kind", affix::config::to_text(group.kind)},
                    {"where", group.where},
                    {"values", std::move(values)}});
  }
  return line_of(json);
}

std::string keys_json(const std::vector<affix::config::KeyDescription>& keys) {
  Json json = Json::array();
  for (const affix::config::KeyDescription& key : keys) {
    Json kinds = Json::array();
    for (const affix::config::GroupKind kind : key.kinds) {
      kinds.push_back(affix::config::to_text(kind));
    }
    json.push_back({{"name", key.name},
                    {"groups", std::move(kinds)},
                    {"default", key.standard},
                    {"allowed", key.allowed},
                    {"units", key.units},
                    {"reload", key.reload},
                    {"meaning", key.meaning},
                    {"secret", key.secret}});
  }
  return line_of(json);
}

}  // namespace affix::inline v0::tools::config
