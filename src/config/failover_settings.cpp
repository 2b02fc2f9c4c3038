// SPDX-License-Identifier: MIT
// Parses the texts of the failover keys.
#include "affix/config/failover_settings.hpp"

#include "affix/base/text.hpp"

#include "config/client_addresses.hpp"
#include "config/list_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr base::MessageCode addresses_code = "C501";
constexpr base::MessageCode election_code = "C503";

base::Error fault_of_piece(base::MessageCode code, std::string_view piece, std::string_view what) {
  return {base::ErrorCode::InvalidArgument,
          "'" + std::string(piece) + "' " + std::string(what),
          {},
          code};
}

/// True if other nodes cannot connect to it: it stands for all addresses of the machine.
bool is_any_address(const net::Address& address) noexcept {
  return std::ranges::all_of(address.host_bytes(), [](char byte) { return byte == '\0'; });
}

std::expected<NodeAddress, base::Error> parse_node(std::string_view piece) {
  const std::size_t at = piece.find('@');
  if (at == std::string_view::npos || !is_failover_name(piece.substr(0, at))) {
    return std::unexpected(
        fault_of_piece(addresses_code, piece,
                       "is not NAME@HOST:PORT with a name of 1 to 64 letters, digits, '.', '_' "
                       "and '-'"));
  }
  const auto address = net::Address::parse(piece.substr(at + 1));
  if (!address || address->port() == 0 || is_any_address(*address)) {
    return std::unexpected(fault_of_piece(
        addresses_code, piece, "has no numeric address and port that other nodes can connect to"));
  }
  return NodeAddress{std::string(piece.substr(0, at)), *address};
}

std::expected<ElectionSettings, base::Error> parse_etcd(std::string_view list, Encryption tls) {
  ElectionSettings election{
      .kind = ElectionKind::Etcd, .tls = tls, .endpoints = {}, .directory = {}};
  // A list that ends with a comma has one piece more, which is empty.
  for (bool more = true; more;) {
    more = list.find(',') != std::string_view::npos;
    const std::string_view piece = take_piece(list);
    if (piece.find('@') != std::string_view::npos) {
      // Not shown, since a password may be before the '@'.
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "credentials do not stand beside an address; use keys "
                                         "election_user and election_password",
                                         {},
                                         election_code});
    }
    const std::optional<ClientHost> host = parse_host(piece);
    if (!host || host->name.find('/') != std::string::npos) {
      return std::unexpected(fault_of_piece(election_code, piece, "is not HOST:PORT"));
    }
    ElectionEndpoint endpoint{host->name, static_cast<std::uint16_t>(host->port)};
    if (std::ranges::find(election.endpoints, endpoint) != election.endpoints.end()) {
      return std::unexpected(fault_of_piece(election_code, piece, "is given twice"));
    }
    election.endpoints.push_back(std::move(endpoint));
  }
  return election;
}

}  // namespace

bool is_failover_name(std::string_view name) noexcept {
  return base::is_path_part(name, failover_name_bytes_max);
}

std::expected<std::vector<NodeAddress>, base::Error> node_addresses_of(
    const NodeSettings& settings) {
  std::vector<NodeAddress> nodes;
  std::string_view rest = settings.node_addresses;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    auto node = parse_node(piece);
    if (!node) {
      return std::unexpected(std::move(node.error()));
    }
    for (const NodeAddress& other : nodes) {
      if (other.name == node->name) {
        return std::unexpected(fault_of_piece(addresses_code, node->name, "is given twice"));
      }
      if (other.address == node->address) {
        return std::unexpected(
            fault_of_piece(addresses_code, piece, "has the address of node '" + other.name + "'"));
      }
    }
    nodes.push_back(std::move(*node));
  }
  return nodes;
}

std::vector<std::string_view> replication_nodes_of(const FailoverSettings& settings) {
  std::vector<std::string_view> names;
  std::string_view rest = settings.replication_nodes;
  while (!rest.empty()) {
    names.push_back(take_piece(rest));
  }
  return names;
}

std::expected<ElectionSettings, base::Error> election_of(const NodeSettings& settings) {
  constexpr std::string_view etcd = "etcd://";
  constexpr std::string_view etcd_with_tls = "etcds://";
  constexpr std::string_view file = "file:";
  const std::string_view text = settings.election;
  if (text.empty()) {
    return ElectionSettings();
  }
  if (text.starts_with(etcd)) {
    return parse_etcd(text.substr(etcd.size()), Encryption::Off);
  }
  if (text.starts_with(etcd_with_tls)) {
    return parse_etcd(text.substr(etcd_with_tls.size()), Encryption::On);
  }
  if (text.starts_with(file) && text.size() > file.size()) {
    return ElectionSettings{.kind = ElectionKind::File,
                            .tls = Encryption::Off,
                            .endpoints = {},
                            .directory = std::string(text.substr(file.size()))};
  }
  return std::unexpected(fault_of_piece(
      election_code, text,
      "is not etcd://HOST:PORT,HOST:PORT,..., etcds://HOST:PORT,... or file:DIRECTORY"));
}

}  // namespace affix::inline v0::config
