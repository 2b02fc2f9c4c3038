// SPDX-License-Identifier: MIT
// Turns a client group's settings into addresses and TLS endpoints.
#include "engine/client_group.hpp"

#include "config/instance_options.hpp"
#include "config/tls_groups.hpp"

#include <utility>

namespace affix::inline v0::engine {

std::expected<std::shared_ptr<const ClientGroup>, config::Problems> open_client_group(
    const config::ClientSettings& settings, const config::TlsGroups& encryption, bool stamped,
    config::Problems& warnings) {
  config::Problems problems;
  auto hosts = config::client_hosts(settings);
  if (!hosts) {
    return std::unexpected(config::Problems{std::move(hosts.error())});
  }
  auto group = std::make_shared<ClientGroup>();
  for (const config::ClientHost& host : *hosts) {
    group->tls.push_back(encryption.client(settings.name, host.name));
  }
  group->hosts = std::make_shared<config::ClientAddresses>(settings.name, std::move(*hosts));
  group->hosts->open(problems, warnings);
  group->socket = config::socket_options(settings, stamped);
  group->connect_timeout_ns = settings.connect_timeout_milliseconds * base::ns_per_ms;
  group->pauses = {settings.reconnect_milliseconds * base::ns_per_ms,
                   settings.reconnect_milliseconds_max * base::ns_per_ms};
  if (!settings.nic_address.empty()) {
    auto bind = net::Address::parse(config::host_and_port(settings.nic_address, 0));
    if (bind) {
      group->socket.bind_address = *bind;
    } else {
      problems.push_back({base::ErrorCode::InvalidArgument, bind.error().message,
                          "[" + settings.name + "] nic_address", "C245"});
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return group;
}

}  // namespace affix::inline v0::engine
