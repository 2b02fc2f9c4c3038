// SPDX-License-Identifier: MIT
// Lists all keys with their meanings.
#include "affix/config/configuration_catalogue.hpp"

#include "affix/config/configuration.hpp"

#include "config/foreign_keys.hpp"
#include "config/key_tables.hpp"
#include "config/measured_number.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::config {

namespace {

constexpr std::array engine_kind{GroupKind::Engine};
constexpr std::array instance_kinds{GroupKind::Client, GroupKind::Server};
constexpr std::array client_kind{GroupKind::Client};
constexpr std::array server_kind{GroupKind::Server};
constexpr std::array session_kind{GroupKind::Session};
constexpr std::array application_kind{GroupKind::Application};
constexpr std::array route_kind{GroupKind::Route};
constexpr std::array failover_kind{GroupKind::Failover};

/// Writes the words of a choice as part of a sentence.
std::string with_commas(std::string_view words) {
  std::string text;
  for (const char c : words) {
    text += c == '|' ? std::string(", ") : std::string(1, c);
  }
  return text;
}

template <typename Base>
std::string allowed_of(const ConfigurationKey<Base>& key) {
  if (std::holds_alternative<bool Base::*>(key.member)) {
    return "true, false";
  }
  if (std::holds_alternative<std::int64_t Base::*>(key.member)) {
    return std::to_string(key.minimum) + " to " + std::to_string(key.maximum);
  }
  if (!key.allowed.empty()) {
    return with_commas(key.allowed);
  }
  return key.form.empty() ? "text" : std::string(key.form);
}

/// Default of `key`; empty for a number that a file must give.
template <typename Base>
std::string standard_of(const ConfigurationKey<Base>& key) {
  const Base standard{};
  if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
    if (standard.*(*number) < key.minimum || standard.*(*number) > key.maximum) {
      return {};
    }
  }
  return value_text(key, standard);
}

std::string_view text_of(KeyReload reload) noexcept {
  switch (reload) {
    case KeyReload::Refused:
      return "refused while the engine runs";
    case KeyReload::ByProgram:
      return "by the program that runs the engine";
    case KeyReload::RestartsSession:
      return "restarts the session";
    case KeyReload::InPlace:
      return "in place, no connection ends";
    case KeyReload::Switches:
      return "logs the session out, or lets it log on";
    case KeyReload::WithOthers:
      return "as the keys for which it has values";
  }
  return {};
}

/// Calls `visit` with the section, the kinds of groups and the rows of every table.
template <typename Visit>
void for_every_table(Visit&& visit) {
  visit("Engine group", engine_kind, engine_keys());
  visit("Administration port", engine_kind, management_keys());
  visit("Node of a cluster", engine_kind, node_keys());
  visit("Client and server groups", instance_kinds, instance_keys());
  visit("TLS of client and server groups", instance_kinds, encryption_keys());
  visit("Client groups", client_kind, client_keys());
  visit("Server groups", server_kind, server_keys());
  visit("Session groups", session_kind, session_keys());
  visit("Practices of counterparties", session_kind, practice_keys());
  visit("Application group", application_kind, application_keys());
  visit("Route groups", route_kind, route_keys());
  visit("Failover groups", failover_kind, failover_keys());
}

}  // namespace

bool is_secret_key(std::string_view key) noexcept {
  bool is_secret = false;
  for_every_table([&](std::string_view, std::span<const GroupKind>, const auto keys) {
    is_secret = is_secret || std::ranges::any_of(keys, [key](const auto& one) {
                  return one.secret && one.name == key;
                });
  });
  return is_secret;
}

std::string_view keys_in_place_of(std::string_view foreign) noexcept {
  const auto keys = foreign_keys();
  const auto found = std::ranges::find(keys, foreign, &ForeignKey::name);
  return found == keys.end() ? std::string_view() : found->ours;
}

std::vector<KeyDescription> describe_keys() {
  std::vector<KeyDescription> all;
  for_every_table(
      [&all](std::string_view section, std::span<const GroupKind> kinds, const auto keys) {
        for (const auto& key : keys) {
          all.push_back({.section = section,
                         .kinds = kinds,
                         .name = key.name,
                         .standard = standard_of(key),
                         .allowed = allowed_of(key),
                         .units = units_of(key.measure),
                         .meaning = key.meaning,
                         .reload = text_of(key.reload),
                         .secret = key.secret});
        }
      });
  return all;
}

}  // namespace affix::inline v0::config
