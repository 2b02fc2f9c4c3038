// SPDX-License-Identifier: MIT
// Lists all keys with their meanings.
#include "affix/config/configuration_catalogue.hpp"

#include "affix/config/configuration.hpp"

#include "config/foreign_keys.hpp"
#include "config/key_tables.hpp"
#include "config/measured_number.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace affix::inline v0::config {

namespace {

constexpr std::array engine_kind{GroupKind::Engine};
constexpr std::array instance_kinds{GroupKind::Client, GroupKind::Server};
constexpr std::array client_kind{GroupKind::Client};
constexpr std::array server_kind{GroupKind::Server};
constexpr std::array session_kind{GroupKind::Session};
constexpr std::array application_kind{GroupKind::Application};
constexpr std::array route_kind{GroupKind::Route};

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
  }
  return {};
}

class Catalogue {
 public:
  template <typename Base>
  void add(std::string_view section, std::span<const GroupKind> kinds,
           std::span<const ConfigurationKey<Base>> keys) {
    for (const ConfigurationKey<Base>& key : keys) {
      const bool is_number = std::holds_alternative<std::int64_t Base::*>(key.member);
      keys_.push_back({.section = section,
                       .kinds = kinds,
                       .name = key.name,
                       .standard = standard_of(key),
                       .allowed = allowed_of(key),
                       .units = is_number ? units_of(measure_of_key(key.name)) : std::string_view(),
                       .meaning = key.meaning,
                       .reload = text_of(key.reload),
                       .secret = key.secret});
    }
  }

  [[nodiscard]] std::vector<KeyDescription> take() { return std::move(keys_); }

 private:
  std::vector<KeyDescription> keys_;
};

}  // namespace

bool is_secret_key(std::string_view key) noexcept {
  const auto holds = [key](const auto keys) {
    return std::ranges::any_of(keys,
                               [key](const auto& one) { return one.secret && one.name == key; });
  };
  return holds(session_keys()) || holds(application_keys());
}

std::string_view keys_in_place_of(std::string_view foreign) noexcept {
  const auto keys = foreign_keys();
  const auto found = std::ranges::find(keys, foreign, &ForeignKey::name);
  return found == keys.end() ? std::string_view() : found->ours;
}

std::vector<KeyDescription> describe_keys() {
  constexpr std::string_view instance_section = "Client and server groups";
  Catalogue all;
  all.add("Engine group", engine_kind, engine_keys());
  all.add("Administration port", engine_kind, management_keys());
  all.add(instance_section, instance_kinds, instance_keys());
  all.add(instance_section, instance_kinds, encryption_keys());
  all.add("Client groups", client_kind, client_keys());
  all.add("Server groups", server_kind, server_keys());
  all.add("Session groups", session_kind, session_keys());
  all.add("Practices of counterparties", session_kind, practice_keys());
  all.add("Application group", application_kind, application_keys());
  all.add("Route groups", route_kind, route_keys());
  return all.take();
}

}  // namespace affix::inline v0::config
