// SPDX-License-Identifier: MIT
// TLS of client and server groups: translates their keys into settings of the layer tls, keeps
// their endpoints while the engine runs, and checks whether a peer is the expected one.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/finding.hpp"
#include "affix/tls/tls_endpoint.hpp"
#include "affix/tls/tls_peer.hpp"
#include "affix/tls/tls_settings.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// A key whose text cannot be read, and why.
struct TlsTextFault {
  std::string_view key;  ///< Static text.
  base::Error error;
};

/// Settings from a group's keys; tls::check() checks combinations.
[[nodiscard]] std::expected<tls::TlsSettings, TlsTextFault> tls_settings_of(
    const ServerSettings& server);

/// Does the same for a client group that connects to `host`.
[[nodiscard]] std::expected<tls::TlsSettings, TlsTextFault> tls_settings_of(
    const ClientSettings& client, const std::string& host);

/// Settings for connections between nodes of a cluster, for the side that listens or the one that
/// dials: each needs a certificate of the nodes' authority, whatever its name.
[[nodiscard]] tls::TlsSettings node_tls_settings(const NodeSettings& settings, bool is_server);

/// True if nodes use TLS between them, and this engine is a node.
[[nodiscard]] bool nodes_speak_tls(const NodeSettings& settings) noexcept;

/// Faults in the texts of TLS keys, each by itself.
[[nodiscard]] std::vector<TlsTextFault> tls_text_faults(const InstanceSettings& instance);
[[nodiscard]] std::vector<TlsTextFault> tls_text_faults(const ServerSettings& server);

/// True if the client or server group of that name has TLS on; and if any group has, or the nodes
/// use it between them.
[[nodiscard]] bool speaks_tls(const Configuration& configuration, std::string_view instance);
[[nodiscard]] bool speaks_tls(const Configuration& configuration);

/// Denied: the session's `tls_peer` excludes this peer. `peer` is null without TLS, which excludes
/// every peer from a session with `tls_peer`.
[[nodiscard]] std::expected<void, base::Error> check_peer(const std::string& session,
                                                          const std::string& tls_peer,
                                                          const tls::TlsPeer* peer);

/// Endpoints of every group that has TLS on. Only reload() replaces them, so every thread may look
/// them up.
class TlsGroups {
 public:
  /// Reads every file. Returns all problems at once. Leaves out the groups whose TLS keys have a
  /// problem in `known`, which would be reported a second time.
  [[nodiscard]] static std::expected<std::unique_ptr<TlsGroups>, std::vector<Finding>> open(
      const Configuration& configuration, const std::vector<Finding>& known = {});

  /// Null: the group uses plain text.
  [[nodiscard]] std::shared_ptr<const tls::TlsEndpoint> server(std::string_view group) const;
  [[nodiscard]] std::shared_ptr<const tls::TlsEndpoint> client(std::string_view group,
                                                               std::string_view host) const;

  /// For connections between nodes. Null: they use plain text.
  [[nodiscard]] std::shared_ptr<const tls::TlsEndpoint> node_server() const;
  [[nodiscard]] std::shared_ptr<const tls::TlsEndpoint> node_client() const;

  /// Reads every file again. A group with a problem keeps its former endpoints, the others are
  /// replaced. Any thread.
  [[nodiscard]] Problems reload();

 private:
  struct Entry {
    std::string group;
    std::string host;  // Of clients: the host they connect to.
    std::shared_ptr<tls::TlsEndpoint> endpoint;
  };

  [[nodiscard]] std::shared_ptr<const tls::TlsEndpoint> find(std::string_view group,
                                                             std::string_view host) const;
  /// Adds an endpoint, or the reason why there is none to `place`, whose group is set.
  void add(const std::string& host, std::expected<tls::TlsSettings, TlsTextFault> settings,
           Finding place, std::vector<Finding>& problems);

  std::vector<Entry> entries_;
};

}  // namespace affix::inline v0::config
