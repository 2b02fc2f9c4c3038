// SPDX-License-Identifier: MIT
// From a client group's settings to addresses and sockets.
#include "engine/client_group.hpp"

#include "engine/instance_options.hpp"
#include "engine/tls_groups.hpp"

#include <utility>

namespace affix::inline v0::engine {

std::expected<std::shared_ptr<const ClientGroup>, Problems> open_client_group(
    const ClientSettings& settings, const TlsGroups& encryption,
    std::vector<std::string>& warnings) {
  Problems problems;
  auto hosts = client_hosts(settings);
  if (!hosts) {
    return std::unexpected(Problems{{base::ErrorCode::InvalidArgument, hosts.error(),
                                     "[" + settings.name + "] further_addresses"}});
  }
  auto group = std::make_shared<ClientGroup>();
  for (const ClientHost& host : *hosts) {
    group->tls.push_back(encryption.client(settings.name, host.name));
  }
  group->hosts = std::make_shared<ClientAddresses>(settings.name, std::move(*hosts));
  group->hosts->open(problems, warnings);
  group->socket = socket_options(settings);
  group->connect_timeout_ns = settings.connect_timeout_milliseconds * base::ns_per_ms;
  group->pauses = {settings.reconnect_milliseconds * base::ns_per_ms,
                   settings.reconnect_milliseconds_max * base::ns_per_ms};
  if (!settings.nic_address.empty()) {
    auto bind = net::Address::parse(host_and_port(settings.nic_address, 0));
    if (bind) {
      group->socket.bind_address = *bind;
    } else {
      problems.push_back({base::ErrorCode::InvalidArgument, bind.error().message,
                          "[" + settings.name + "] nic_address"});
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return group;
}

}  // namespace affix::inline v0::engine
