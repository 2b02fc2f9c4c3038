// SPDX-License-Identifier: MIT
// Reads the keys of a node's configuration that say where the others are.
#include "cluster/places.hpp"

#include "affix/config/configuration.hpp"
#include "affix/os/read_file.hpp"
#include "affix/tls/tls_settings.hpp"

#include "administration/admin_client.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace affix::inline v0::tools::cluster {

namespace {

using Json = nlohmann::ordered_json;

/// A token is far shorter.
constexpr std::size_t token_file_bytes_max = 64 * 1024;

std::unexpected<base::Error> unusable(std::string why, std::string where = {}) {
  return std::unexpected(
      base::Error{base::ErrorCode::InvalidArgument, std::move(why), std::move(where), "R307"});
}

/// The first line of the file, or the variable. Empty: there is no token.
std::expected<std::string, base::Error> read_token(const std::string& place) {
  const auto secret = tls::TlsSecret::parse(place);
  if (!secret) {
    return unusable("a token is given as file:PATH or env:NAME");
  }
  if (secret->source == tls::TlsSecret::Source::None) {
    return std::string();
  }
  if (secret->source == tls::TlsSecret::Source::Environment) {
    const char* const value = std::getenv(secret->name.c_str());
    return value == nullptr ? unusable("the variable of the token is not set", secret->name)
                            : std::expected<std::string, base::Error>(value);
  }
  auto text = os::read_file(secret->name, token_file_bytes_max);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  return text->substr(0, text->find_first_of("\r\n"));
}

/// "NAME@HOST:PORT" without its name.
std::string without_name(const std::string& node) {
  const std::size_t at = node.find('@');
  return at == std::string::npos ? node : node.substr(at + 1);
}

/// The ports of all nodes by the configuration of one.
std::expected<std::vector<std::string>, base::Error> addresses_of(
    const affix::config::EngineSettings& engine) {
  const auto nodes = affix::config::node_addresses_of(engine);
  if (!nodes) {
    return std::unexpected(nodes.error());
  }
  if (nodes->empty()) {
    return unusable("the configuration is of no cluster: key 'node_addresses' is empty");
  }
  if (engine.management_server_port <= 0) {
    return unusable(
        "key 'management_server_port' names no port that the nodes could have in common: give "
        "--nodes");
  }
  std::vector<std::string> addresses;
  for (const affix::config::NodeAddress& node : *nodes) {
    addresses.push_back(
        node.address.with_port(static_cast<std::uint16_t>(engine.management_server_port)).text());
  }
  for (std::size_t at = 1; at < addresses.size(); ++at) {
    if (addresses[at] == addresses[0]) {
      return unusable("the nodes are on one machine, with a port each: give --nodes");
    }
  }
  return addresses;
}

}  // namespace

std::expected<Places, base::Error> places_of(const Given& given, Access access) {
  Places places;
  std::string token_place = given.token;
  std::string tls_file = given.tls_file;
  for (const std::string& node : given.nodes) {
    places.addresses.push_back(without_name(node));
  }
  if (!given.configuration.empty()) {
    const auto configuration = affix::config::load_configuration(given.configuration);
    if (!configuration) {
      return std::unexpected(configuration.error().front());
    }
    const affix::config::EngineSettings& engine = configuration->engine;
    if (token_place.empty()) {
      token_place = access == Access::Operate || engine.management_read_token.empty()
                        ? engine.management_operate_token
                        : engine.management_read_token;
    }
    tls_file = tls_file.empty() ? engine.management_tls_certificate_file : tls_file;
    if (places.addresses.empty()) {
      auto addresses = addresses_of(engine);
      if (!addresses) {
        return std::unexpected(std::move(addresses.error()));
      }
      places.addresses = std::move(*addresses);
    }
  }
  if (places.addresses.empty()) {
    return unusable("neither --config nor --nodes says where the nodes' administration ports are");
  }
  auto token = read_token(token_place);
  if (!token) {
    return std::unexpected(std::move(token.error()));
  }
  std::optional<TlsContext> tls;
  if (!tls_file.empty()) {
    auto context = TlsContext::for_client(tls_file);
    if (!context) {
      return std::unexpected(std::move(context.error()));
    }
    tls = std::move(*context);
  }
  places.ask = [token = std::move(*token), tls = std::move(tls)](
                   const std::string& address, const std::string& command,
                   const std::vector<std::string>& arguments) {
    const Json line{{"id", admin_line_id}, {"command", command}, {"arguments", arguments}};
    return ask_admin({address, tls}, token,
                     line.dump(-1, ' ', true, Json::error_handler_t::replace));
  };
  return places;
}

}  // namespace affix::inline v0::tools::cluster
