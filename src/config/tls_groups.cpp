// SPDX-License-Identifier: MIT
// Turns TLS keys into endpoints.
#include "config/tls_groups.hpp"

#include "config/client_addresses.hpp"
#include "config/list_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// The keys whose texts are read here.
constexpr std::array text_keys{std::string_view("tls_pins"), std::string_view("tls_preshared_keys"),
                               std::string_view("tls_key_password"),
                               std::string_view("tls_named_certificates")};

/// An error about one key's text, with the key as its place.
base::Error of_key(std::string_view key, const base::Error& error) {
  return {error.code, error.sentence(), std::string(key), error.message_code};
}

/// Settings that clients and servers have in common.
std::expected<tls::TlsSettings, base::Error> shared_settings(const InstanceSettings& instance) {
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
    certificates.push_back({std::string(trimmed(piece.substr(0, equals))),
                            std::string(trimmed(piece.substr(equals + 1, colon - equals - 1))),
                            std::string(trimmed(piece.substr(colon + 1))), password});
  }
  return certificates;
}

template <typename Groups>
bool any_with_tls(const Groups& groups, std::string_view name) {
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.tls == Encryption::On && (name.empty() || group.name == name);
  });
}

void add_fault(std::string_view key, const auto& read, Problems& faults) {
  if (!read) {
    faults.push_back(of_key(key, read.error()));
  }
}

}  // namespace

Problems tls_text_faults(const InstanceSettings& instance) {
  Problems faults;
  add_fault("tls_pins", tls::TlsPin::parse_list(instance.tls_pins), faults);
  add_fault("tls_preshared_keys", tls::TlsSecret::parse(instance.tls_preshared_keys), faults);
  add_fault("tls_key_password", tls::TlsSecret::parse(instance.tls_key_password), faults);
  return faults;
}

Problems tls_text_faults(const ServerSettings& server) {
  Problems faults = tls_text_faults(static_cast<const InstanceSettings&>(server));
  add_fault("tls_named_certificates", named_certificates(server.tls_named_certificates, {}),
            faults);
  return faults;
}

std::expected<tls::TlsSettings, base::Error> tls_settings_of(const ServerSettings& server) {
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

std::expected<tls::TlsSettings, base::Error> tls_settings_of(const ClientSettings& client,
                                                             const std::string& host) {
  auto settings = shared_settings(client);
  if (settings) {
    settings->server_name = client.tls_server_name.empty() ? host : client.tls_server_name;
    settings->check_server_name = client.tls_check_server_name;
    settings->preshared_identity = client.tls_preshared_identity;
  }
  return settings;
}

std::string_view tls_key_of(const base::Error& error) noexcept {
  const auto* const key = std::find(text_keys.begin(), text_keys.end(), error.where);
  return key == text_keys.end() ? std::string_view() : *key;
}

bool speaks_tls(const Configuration& configuration, std::string_view instance) {
  return !instance.empty() && (any_with_tls(configuration.servers, instance) ||
                               any_with_tls(configuration.clients, instance));
}

bool speaks_tls(const Configuration& configuration) {
  return any_with_tls(configuration.servers, {}) || any_with_tls(configuration.clients, {});
}

std::string peer_refusal(const std::string& session, const std::string& tls_peer,
                         const tls::TlsPeer* peer) {
  if (tls_peer.empty()) {
    return {};
  }
  if (peer == nullptr) {
    return "session " + session + " is for a TLS peer only";
  }
  const auto rules = tls::parse_tls_peer_rules(tls_peer);
  if (rules && tls::matches(*peer, *rules)) {
    return {};
  }
  return "the TLS peer (" + peer->text() + ") is not the one that session " + session + " is for";
}

std::expected<std::unique_ptr<TlsGroups>, Problems> TlsGroups::open(
    const Configuration& configuration) {
  auto groups = std::make_unique<TlsGroups>();
  Problems problems;
  for (const ServerSettings& server : configuration.servers) {
    if (server.tls == Encryption::On) {
      groups->add(server.name, {}, tls_settings_of(server), problems);
    }
  }
  for (const ClientSettings& client : configuration.clients) {
    const auto hosts = client_hosts(client);
    if (!hosts) {
      problems.push_back({base::ErrorCode::InvalidArgument, hosts.error(),
                          "[" + client.name + "] further_addresses", "C228"});
      continue;
    }
    for (const ClientHost& host : *hosts) {
      if (client.tls == Encryption::On && groups->find(client.name, host.name) == nullptr) {
        groups->add(client.name, host.name, tls_settings_of(client, host.name), problems);
      }
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return groups;
}

void TlsGroups::add(const std::string& group, const std::string& host,
                    std::expected<tls::TlsSettings, base::Error> settings, Problems& problems) {
  if (!settings) {
    problems.push_back({settings.error().code,
                        "key '" + settings.error().where + "': " + settings.error().message,
                        "[" + group + "]", settings.error().message_code});
    return;
  }
  auto endpoint = tls::TlsEndpoint::open(std::move(*settings));
  if (!endpoint) {
    problems.push_back(std::move(endpoint.error()));
    return;
  }
  entries_.push_back({group, host, std::move(*endpoint)});
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
