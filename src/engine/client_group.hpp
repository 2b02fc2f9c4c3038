// SPDX-License-Identifier: MIT
// A client group while the engine runs: what each of its sessions connects with.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/tls_endpoint.hpp"

#include "engine/client_addresses.hpp"
#include "engine/dialer.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

class TlsGroups;

/// What a client group gives each of its sessions.
struct ClientGroup {
  net::SocketOptions socket;
  std::int64_t connect_timeout_ns = 0;
  std::shared_ptr<ClientAddresses> hosts{};  // Never null; the thread of look-ups has it too.
  std::vector<std::shared_ptr<const net::TlsEndpoint>> tls{};  // By host; null: plain text.
  DialPauses pauses{};
};

/// Looks its addresses up, so blocks on the name service. Every problem of the group; what is only
/// not known yet is a warning.
[[nodiscard]] std::expected<std::shared_ptr<const ClientGroup>, Problems> open_client_group(
    const ClientSettings& settings, const TlsGroups& encryption,
    std::vector<std::string>& warnings);

}  // namespace affix::inline v0::engine
