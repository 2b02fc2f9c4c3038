// SPDX-License-Identifier: MIT
// A client group while the engine runs: addresses and TLS endpoints of its sessions.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/net/socket.hpp"
#include "affix/tls/tls_endpoint.hpp"

#include "config/client_addresses.hpp"
#include "engine/dialer.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::config {
class TlsGroups;
}  // namespace affix::inline v0::config

namespace affix::inline v0::engine {

/// Connection settings that a client group gives to each of its sessions.
struct ClientGroup {
  net::SocketOptions socket;
  std::int64_t connect_timeout_ns = 0;
  std::shared_ptr<config::ClientAddresses>
      hosts{};  // Never null; shared with the resolving thread.
  std::vector<std::shared_ptr<const tls::TlsEndpoint>> tls{};  // By host; null: plain text.
  DialPauses pauses{};
};

/// Resolves its addresses, so blocks on the name service. Returns every problem of the group; a
/// name that cannot be resolved yet is a warning. `stamped`: see socket_options().
[[nodiscard]] std::expected<std::shared_ptr<const ClientGroup>, config::Problems> open_client_group(
    const config::ClientSettings& settings, const config::TlsGroups& encryption, bool stamped,
    config::Problems& warnings);

}  // namespace affix::inline v0::engine
