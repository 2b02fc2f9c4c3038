// SPDX-License-Identifier: MIT
// TLS of client and server groups: their keys as settings of the network layer, their endpoints
// while the engine runs, and whether a peer is the one that a session is for.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/net/tls_endpoint.hpp"
#include "affix/net/tls_peer.hpp"
#include "affix/net/tls_settings.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// What a group's keys say; the error is of the key that tls_key_of() names, whose text cannot be
/// read. Whether they go together net::check() says.
[[nodiscard]] std::expected<net::TlsSettings, base::Error> tls_settings_of(
    const ServerSettings& server);

/// The same of a client group when it connects to `host`.
[[nodiscard]] std::expected<net::TlsSettings, base::Error> tls_settings_of(
    const ClientSettings& client, const std::string& host);

/// What is wrong with the texts of TLS keys, each by itself; the place of each is its key.
[[nodiscard]] Problems tls_text_faults(const InstanceSettings& instance);
[[nodiscard]] Problems tls_text_faults(const ServerSettings& server);

/// The key that such an error is about; static text.
[[nodiscard]] std::string_view tls_key_of(const base::Error& error) noexcept;

/// Whether the client or server group of that name has TLS on; and whether any has.
[[nodiscard]] bool speaks_tls(const Configuration& configuration, std::string_view instance);
[[nodiscard]] bool speaks_tls(const Configuration& configuration);

/// Why a session's `tls_peer` keeps this peer out; empty when it does not. `peer` is null when
/// there is no TLS, which keeps everybody out of a session that names one.
[[nodiscard]] std::string peer_refusal(const std::string& session, const std::string& tls_peer,
                                       const net::TlsPeer* peer);

/// The endpoints of every group that has TLS on. What is opened here never changes but for what
/// reload() replaces, so every thread may look things up.
class TlsGroups {
 public:
  /// Reads every file. All problems at once.
  [[nodiscard]] static std::expected<std::unique_ptr<TlsGroups>, Problems> open(
      const Configuration& configuration);

  /// Null: the group is plain.
  [[nodiscard]] std::shared_ptr<const net::TlsEndpoint> server(std::string_view group) const;
  [[nodiscard]] std::shared_ptr<const net::TlsEndpoint> client(std::string_view group,
                                                               std::string_view host) const;

  /// Reads every file again. A group with a problem goes on with what it had, the others do not.
  /// Any thread.
  [[nodiscard]] Problems reload();

 private:
  struct Entry {
    std::string group;
    std::string host;  // Of clients: that is connected to.
    std::shared_ptr<net::TlsEndpoint> endpoint;
  };

  [[nodiscard]] std::shared_ptr<const net::TlsEndpoint> find(std::string_view group,
                                                             std::string_view host) const;
  void add(const std::string& group, const std::string& host,
           std::expected<net::TlsSettings, base::Error> settings, Problems& problems);

  std::vector<Entry> entries_;
};

}  // namespace affix::inline v0::engine
