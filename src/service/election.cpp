// SPDX-License-Identifier: MIT
// Chooses the store by the key `election`.
#include "service/election.hpp"

#include "affix/os/read_file.hpp"
#include "affix/service/etcd_election_store.hpp"
#include "affix/tls/tls_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::service {

namespace {

/// A password is far shorter.
constexpr std::size_t password_file_bytes_max = 64 * 1024;

std::unexpected<base::Error> no_password(std::string why, const std::string& where) {
  return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                     "key 'election_password': " + std::move(why), where, "R308"});
}

/// The first line of the file, or the variable. Empty: none is wanted.
std::expected<std::string, base::Error> read_password(const std::string& place) {
  const auto secret = tls::TlsSecret::parse(place);
  if (!secret || secret->source == tls::TlsSecret::Source::None) {
    return std::string();  // The configuration's check has refused another text.
  }
  if (secret->source == tls::TlsSecret::Source::Environment) {
    const char* const value = std::getenv(secret->name.c_str());
    if (value == nullptr) {
      return no_password("the variable is not set", secret->name);
    }
    return std::string(value);
  }
  const auto text = os::read_file(secret->name, password_file_bytes_max);
  if (!text) {
    return no_password(text.error().message, secret->name);
  }
  return text->substr(0, text->find_first_of("\r\n"));
}

/// "https://[2001:db8::1]:2379"
std::string url_of(const config::ElectionEndpoint& endpoint, config::Encryption tls) {
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  return (tls == config::Encryption::On ? "https://" : "http://") +
         (is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
         std::to_string(endpoint.port);
}

/// The one on this node's machine comes first: its loss would be the node's own.
std::vector<config::ElectionEndpoint> nearest_first(std::vector<config::ElectionEndpoint> all,
                                                    const config::NodeSettings& settings) {
  const auto nodes = config::node_addresses_of(settings);
  if (!nodes) {
    return all;  // The engine reports it.
  }
  const auto own = std::ranges::find_if(all, [&](const config::ElectionEndpoint& endpoint) {
    return std::ranges::any_of(*nodes, [&](const config::NodeAddress& node) {
      return node.name == settings.node && node.address.host_text() == endpoint.host;
    });
  });
  if (own != all.end()) {
    std::rotate(all.begin(), own, own + 1);
  }
  return all;
}

}  // namespace

std::expected<engine::FailoverMeans, base::Error> failover_means_of(
    const config::NodeSettings& settings) {
  engine::FailoverMeans means;
  const auto election = config::election_of(settings);
  // The engine reports a key that is wrong.
  if (settings.node.empty() || !election || election->kind != config::ElectionKind::Etcd) {
    return means;
  }
  auto password = read_password(settings.election_password);
  if (!password) {
    return std::unexpected(std::move(password.error()));
  }
  EtcdOptions options;
  for (const config::ElectionEndpoint& endpoint : nearest_first(election->endpoints, settings)) {
    options.endpoints.push_back(url_of(endpoint, election->tls));
  }
  options.prefix = settings.election_prefix;
  options.cluster = settings.cluster;
  options.user = settings.election_user;
  options.password = std::move(*password);
  if (election->tls == config::Encryption::On) {
    options.ca_file = settings.election_tls_ca_file;
    options.certificate_file = settings.election_tls_certificate_file;
    options.key_file = settings.election_tls_key_file;
  }
  auto store = open_etcd_election_store(options);
  if (!store) {
    return std::unexpected(std::move(store.error()));
  }
  means.store = std::move(*store);
  return means;
}

}  // namespace affix::inline v0::service
