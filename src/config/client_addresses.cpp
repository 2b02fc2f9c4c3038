// SPDX-License-Identifier: MIT
// Lists of hosts, and look-ups of their names.
#include "config/client_addresses.hpp"

#include "config/instance_options.hpp"
#include "config/list_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::config {

std::optional<ClientHost> parse_host(std::string_view piece) {
  const std::size_t colon = piece.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return std::nullopt;
  }
  std::string_view name = piece.substr(0, colon);
  const std::int64_t port = base::parse_number(piece.substr(colon + 1)).value_or(0);
  if (port < 1 || port > 65'535) {
    return std::nullopt;
  }
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    name = name.substr(1, name.size() - 2);
  } else if (name.find_first_of(":[] \t") != std::string_view::npos) {
    return std::nullopt;
  }
  return ClientHost{std::string(name), port};
}

std::expected<std::vector<ClientHost>, base::Error> client_hosts(const ClientSettings& settings) {
  std::vector<ClientHost> hosts{{settings.primary_address, settings.primary_port}};
  if (!settings.secondary_address.empty()) {
    hosts.push_back({settings.secondary_address, settings.secondary_port});
  }
  std::string_view rest = settings.further_addresses;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    auto host = parse_host(piece);
    if (!host) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "'" + std::string(piece) + "' is not host:port",
                                         "[" + settings.name + "] further_addresses", "C228"});
    }
    hosts.push_back(std::move(*host));
  }
  return hosts;
}

ClientAddresses::ClientAddresses(std::string group, std::vector<ClientHost> hosts,
                                 NameService names)
    : group_(std::move(group)), hosts_(std::move(hosts)), names_(names), found_(hosts_.size()) {
  has_names_ = std::ranges::any_of(hosts_, [](const ClientHost& host) {
    return !net::Address::parse(host_and_port(host.name, host.port));
  });
}

void ClientAddresses::open(Problems& problems, Problems& warnings) {
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    const std::string text = host_and_port(hosts_[host].name, hosts_[host].port);
    auto found = names_(text);
    if (found) {
      found_[host] = std::move(*found);
    } else if (found.error().code == base::ErrorCode::Io ||
               found.error().code == base::ErrorCode::Exhausted) {
      warnings.push_back(std::move(found.error()));
      warnings.back().where = "[" + group_ + "] " + text;
      want();
    } else {
      base::Error error = std::move(found.error());
      error.where = "[" + group_ + "] " + text;
      problems.push_back(std::move(error));
    }
  }
}

bool ClientAddresses::look_up() {
  if (!has_names_ || !wanted_.exchange(false, std::memory_order_acquire)) {
    return false;
  }
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    // No lock is held: the name service may be slow.
    auto found = names_(host_and_port(hosts_[host].name, hosts_[host].port));
    if (!found) {
      continue;
    }
    const std::lock_guard lock(mutex_);
    if (found_[host] != *found) {
      found_[host] = std::move(*found);
      version_.fetch_add(1, std::memory_order_release);
    }
  }
  return true;
}

std::vector<ClientAddress> ClientAddresses::addresses() const {
  std::vector<ClientAddress> addresses;
  const std::lock_guard lock(mutex_);
  for (std::size_t host = 0; host < found_.size(); ++host) {
    for (const net::Address& address : found_[host]) {
      addresses.push_back({address, host});
    }
  }
  return addresses;
}

}  // namespace affix::inline v0::config
