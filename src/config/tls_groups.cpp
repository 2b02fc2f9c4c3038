// SPDX-License-Identifier: MIT
// Turns TLS keys into endpoints.
#include "config/tls_groups.hpp"

#include "config/client_addresses.hpp"
#include "config/key_tables.hpp"
#include "config/list_text.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// `key` is static text.
TlsTextFault of_key(std::string_view key, const base::Error& error) {
  return {key, {error.code, error.sentence(), {}, error.message_code}};
}

// Stands in entries of nodes in place of a group's name and a host: no group's name is empty.
constexpr std::string_view node_server_host = "listens";
constexpr std::string_view node_client_host = "dials";

/// Settings that clients and servers have in common.
std::expected<tls::TlsSettings, TlsTextFault> shared_settings(const InstanceSettings& instance) {
  tls::TlsSettings settings;
  settings.name = instance.name;
  settings.version_min = instance.tls_version_min;
  settings.version_max = instance.tls_version_max;
  settings.ciphers = instance.tls_ciphers;
  settings.cipher_suites = instance.tls_cipher_suites;
  settings.peer_proof = instance.tls_peer_proof;
  settings.ca_file = instance.tls_ca_file;
  settings.ca_path = instance.tls_ca_path;
  settings.crl_file = instance.tls_crl_file;
  settings.pin_file = instance.tls_pin_file;
  settings.handshake_timeout_ns = instance.tls_handshake_timeout_milliseconds * base::ns_per_ms;
  auto pins = tls::TlsPin::parse_list(instance.tls_pins);
  if (!pins) {
    return std::unexpected(of_key("tls_pins", pins.error()));
  }
  settings.pins = std::move(*pins);
  auto keys = tls::TlsSecret::parse(instance.tls_preshared_keys);
  if (!keys) {
    return std::unexpected(of_key("tls_preshared_keys", keys.error()));
  }
  settings.preshared_keys = std::move(*keys);
  auto password = tls::TlsSecret::parse(instance.tls_key_password);
  if (!password) {
    return std::unexpected(of_key("tls_key_password", password.error()));
  }
  if (!instance.tls_certificate_file.empty() || !instance.tls_key_file.empty()) {
    settings.certificates.push_back(
        {{}, instance.tls_certificate_file, instance.tls_key_file, std::move(*password)});
  }
  return settings;
}

/// `name=certificate:key`, separated by commas.
std::expected<std::vector<tls::TlsCertificate>, base::Error> named_certificates(
    std::string_view text, const tls::TlsSecret& password) {
  std::vector<tls::TlsCertificate> certificates;
  while (!text.empty()) {
    const std::string_view piece = take_piece(text);
    const std::size_t equals = piece.find('=');
    const std::size_t colon = piece.rfind(':');
    if (equals == std::string_view::npos || colon == std::string_view::npos || colon < equals ||
        equals == 0) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "'" + std::string(piece) + "' is not name=certificate:key",
                                         {},
                                         "T110"});
    }
    certificates.push_back(
        {std::string(base::trimmed(piece.substr(0, equals))),
         std::string(base::trimmed(piece.substr(equals + 1, colon - equals - 1))),
         std::string(base::trimmed(piece.substr(colon + 1))), password});
  }
  return certificates;
}

template <typename Groups>
bool any_with_tls(const Groups& groups, std::string_view name) {
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.tls == Encryption::On && (name.empty() || group.name == name);
  });
}

/// True if the group has TLS on, and no problem of it is known already.
template <typename Settings>
bool is_wanted(const Settings& settings, GroupKind kind, const std::vector<Finding>& known) {
  return settings.tls == Encryption::On && std::ranges::none_of(known, [&](const Finding& one) {
           // A finding without a key may be about keys that contradict each other, those of TLS
           // too.
           return one.sort != FindingSort::NoEffect && one.kind == kind &&
                  one.group == settings.name &&
                  (one.key.empty() || one.key == "tls" ||
                   feature_of<Settings>(one.key) == Feature::Encryption);
         });
}

void add_fault(std::string_view key, const auto& read, std::vector<TlsTextFault>& faults) {
  if (!read) {
    faults.push_back(of_key(key, read.error()));
  }
}

}  // namespace

std::vector<TlsTextFault> tls_text_faults(const InstanceSettings& instance) {
  std::vector<TlsTextFault> faults;
  add_fault("tls_pins", tls::TlsPin::parse_list(instance.tls_pins), faults);
  add_fault("tls_preshared_keys", tls::TlsSecret::parse(instance.tls_preshared_keys), faults);
  add_fault("tls_key_password", tls::TlsSecret::parse(instance.tls_key_password), faults);
  return faults;
}

std::vector<TlsTextFault> tls_text_faults(const ServerSettings& server) {
  std::vector<TlsTextFault> faults = tls_text_faults(static_cast<const InstanceSettings&>(server));
  add_fault("tls_named_certificates", named_certificates(server.tls_named_certificates, {}),
            faults);
  return faults;
}

std::expected<tls::TlsSettings, TlsTextFault> tls_settings_of(const ServerSettings& server) {
  auto settings = shared_settings(server);
  if (!settings) {
    return settings;
  }
  settings->is_server = true;
  if (server.tls_named_certificates.empty()) {
    return settings;
  }
  const tls::TlsSecret password = settings->certificates.empty()
                                      ? tls::TlsSecret()
                                      : settings->certificates.front().key_password;
  auto named = named_certificates(server.tls_named_certificates, password);
  if (!named) {
    return std::unexpected(of_key("tls_named_certificates", named.error()));
  }
  settings->certificates.insert(settings->certificates.end(), named->begin(), named->end());
  return settings;
}

std::expected<tls::TlsSettings, TlsTextFault> tls_settings_of(const ClientSettings& client,
                                                              const std::string& host) {
  auto settings = shared_settings(client);
  if (settings) {
    settings->server_name = client.tls_server_name.empty() ? host : client.tls_server_name;
    settings->check_server_name = client.tls_check_server_name;
    settings->preshared_identity = client.tls_preshared_identity;
  }
  return settings;
}

bool speaks_tls(const Configuration& configuration, std::string_view instance) {
  return !instance.empty() && (any_with_tls(configuration.servers, instance) ||
                               any_with_tls(configuration.clients, instance));
}

bool speaks_tls(const Configuration& configuration) {
  return any_with_tls(configuration.servers, {}) || any_with_tls(configuration.clients, {}) ||
         nodes_speak_tls(configuration.engine);
}

bool nodes_speak_tls(const NodeSettings& settings) noexcept {
  return !settings.node.empty() && !settings.replication_tls_certificate_file.empty();
}

tls::TlsSettings node_tls_settings(const NodeSettings& settings, bool is_server) {
  tls::TlsSettings tls;
  tls.name = "ENGINE";
  tls.is_server = is_server;
  tls.version_min = tls::TlsVersion::Tls13;  // Both sides are ours.
  tls.certificates.push_back({.certificate_file = settings.replication_tls_certificate_file,
                              .key_file = settings.replication_tls_key_file});
  tls.ca_file = settings.replication_tls_ca_file;
  tls.check_server_name = false;  // Nodes have numeric addresses, and an authority of their own.
  return tls;
}

std::expected<void, base::Error> check_peer(const std::string& session, const std::string& tls_peer,
                                            const tls::TlsPeer* peer) {
  const auto refused = [](std::string why) {
    return std::unexpected(base::Error{base::ErrorCode::Denied, std::move(why), {}, "T206"});
  };
  if (tls_peer.empty()) {
    return {};
  }
  if (peer == nullptr) {
    return refused("session " + session + " is for a TLS peer only");
  }
  const auto rules = tls::parse_tls_peer_rules(tls_peer);
  if (rules && tls::matches(*peer, *rules)) {
    return {};
  }
  return refused("the TLS peer (" + peer->text() + ") is not the one that session " + session +
                 " is for");
}

std::expected<std::unique_ptr<TlsGroups>, std::vector<Finding>> TlsGroups::open(
    const Configuration& configuration, const std::vector<Finding>& known) {
  auto groups = std::make_unique<TlsGroups>();
  std::vector<Finding> problems;
  for (const ServerSettings& server : configuration.servers) {
    if (is_wanted(server, GroupKind::Server, known)) {
      groups->add({}, tls_settings_of(server), {.kind = GroupKind::Server, .group = server.name},
                  problems);
    }
  }
  for (const ClientSettings& client : configuration.clients) {
    if (!is_wanted(client, GroupKind::Client, known)) {
      continue;
    }
    const Finding place{.kind = GroupKind::Client, .group = client.name};
    const auto hosts = client_hosts(client);
    if (!hosts) {
      Finding fault = place;
      fault.key = "further_addresses";
      fault.message = "key 'further_addresses': " + hosts.error().message;
      fault.code = hosts.error().message_code;
      problems.push_back(std::move(fault));
      continue;
    }
    for (const ClientHost& host : *hosts) {
      if (groups->find(client.name, host.name) == nullptr) {
        groups->add(host.name, tls_settings_of(client, host.name), place, problems);
      }
    }
  }
  const auto is_about_nodes = [](const Finding& one) {
    return one.kind == GroupKind::Engine && one.key.starts_with("replication_tls");
  };
  if (nodes_speak_tls(configuration.engine) && std::ranges::none_of(known, is_about_nodes)) {
    const Finding place{.kind = GroupKind::Engine, .key = "replication_tls_certificate_file"};
    groups->add(std::string(node_server_host), node_tls_settings(configuration.engine, true), place,
                problems);
    if (problems.empty()) {
      groups->add(std::string(node_client_host), node_tls_settings(configuration.engine, false),
                  place, problems);  // The same files: one report is enough.
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return groups;
}

void TlsGroups::add(const std::string& host, std::expected<tls::TlsSettings, TlsTextFault> settings,
                    Finding place, std::vector<Finding>& problems) {
  if (!settings) {
    place.key = settings.error().key;
    place.message = "key '" + std::string(place.key) + "': " + settings.error().error.message;
    place.code = settings.error().error.message_code;
    place.error = settings.error().error.code;
    problems.push_back(std::move(place));
    return;
  }
  auto endpoint = tls::TlsEndpoint::open(std::move(*settings));
  if (!endpoint) {
    place.message = std::move(endpoint.error().message);
    place.where = std::move(endpoint.error().where);
    place.code = endpoint.error().message_code;
    place.error = endpoint.error().code;
    problems.push_back(std::move(place));
    return;
  }
  entries_.push_back({std::move(place.group), host, std::move(*endpoint)});
}

std::shared_ptr<const tls::TlsEndpoint> TlsGroups::find(std::string_view group,
                                                        std::string_view host) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.group == group && entry.host == host;
  });
  return found == entries_.end() ? nullptr : found->endpoint;
}

std::shared_ptr<const tls::TlsEndpoint> TlsGroups::server(std::string_view group) const {
  return find(group, {});
}

std::shared_ptr<const tls::TlsEndpoint> TlsGroups::client(std::string_view group,
                                                          std::string_view host) const {
  return find(group, host);
}

std::shared_ptr<const tls::TlsEndpoint> TlsGroups::node_server() const {
  return find({}, node_server_host);
}

std::shared_ptr<const tls::TlsEndpoint> TlsGroups::node_client() const {
  return find({}, node_client_host);
}

Problems TlsGroups::reload() {
  Problems problems;
  for (const Entry& entry : entries_) {
    if (auto reloaded = entry.endpoint->reload(); !reloaded) {
      problems.push_back(std::move(reloaded.error()));
    }
  }
  return problems;
}

}  // namespace affix::inline v0::config
