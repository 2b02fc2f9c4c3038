// SPDX-License-Identifier: MIT
// The keys of failover: this node among the others of its cluster, the store in which nodes elect
// the primary of a group, and the groups of sessions that fail over together. Start-up only.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/choices.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// The keys of the [ENGINE] group for failover. Without effect while `node` is empty.
struct NodeSettings {
  std::string node;               ///< This node's name; empty: no failover.
  std::string node_addresses;     ///< Comma-separated `name@host:port` of every node.
  std::string cluster = "affix";  ///< Both ends of a replication connection have the same.
  std::string election;           ///< `etcd://host:port,...`, `etcds://...`, `file:directory`.
  std::string election_prefix = "/affix";  ///< Beginning of the keys in etcd.
  std::string election_user;               ///< Empty: etcd asks for none.
  std::string election_password;           ///< `file:PATH` or `env:NAME`, not the password.
  std::string election_tls_ca_file;  ///< Authority of etcd's certificate; empty: the system's.
  std::string election_tls_certificate_file;  ///< Ours for etcd; empty: none.
  std::string election_tls_key_file;          ///< Private key of that certificate.
  std::string failover_directory;             ///< Holds the epochs that this node has promised.
  std::int64_t replication_cpu_core_id = -1;  ///< Core of the replication thread; -1: none.
  WaitMode replication_wait_mode = WaitMode::Block;  ///< How the replication thread waits.
  std::string replication_tls_certificate_file;      ///< Ours for other nodes; empty: no TLS.
  std::string replication_tls_key_file;              ///< Private key of that certificate.
  std::string replication_tls_ca_file;  ///< Authority of the other nodes' certificates.
};

/// A failover group: sessions that one node runs at a time, and other nodes can take over.
struct FailoverSettings {
  std::string name;               ///< Name that `failover_group` of client and server groups gives.
  std::string replication_nodes;  ///< Comma-separated names of 2 or 3 nodes, the preferred first.
  Replication replication = Replication::BeforeSend;   ///< What waits for the standbys.
  std::int64_t replication_timeout_milliseconds = 50;  ///< A standby later than this is taken out.
  std::int64_t replication_beat_milliseconds = 100;    ///< A node that misses three beats is gone.
  std::int64_t in_sync_min = 1;  ///< With fewer nodes in sync the primary holds its output.
  std::int64_t lease_milliseconds = 1'000;              ///< ASYNC only: term of a primary.
  std::int64_t replication_backlog_bytes = 16'777'216;  ///< Limit of what waits for one standby.
  std::string promote_program;                          ///< Run after a promotion; empty: none.
  std::string demote_program;  ///< Run after the role is lost or given up; empty: none.
};

/// One node of the cluster.
struct NodeAddress {
  std::string name;      ///< As `node` and `replication_nodes` give it.
  net::Address address;  ///< Where it listens for the other nodes; never all addresses, nor port 0.

  /// The same name and address.
  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};

/// Maximum bytes of the name of a node, a cluster or a failover group: they stand in messages of
/// the replication protocol.
inline constexpr std::size_t failover_name_bytes_max = 64;

/// True if `name` may be the name of a node, a cluster or a failover group: 1 to 64 letters,
/// digits, `.`, `_` and `-`, the first a letter or a digit, since names are parts of keys and of
/// file names. The election's entries have the same rule.
[[nodiscard]] bool is_failover_name(std::string_view name) noexcept;

/// Parses the nodes of `node_addresses`, in their order; none for an empty text. The error
/// describes the first piece that is invalid, or that repeats the name or address of an earlier
/// one. Allocates.
[[nodiscard]] std::expected<std::vector<NodeAddress>, base::Error> node_addresses_of(
    const NodeSettings& settings);

/// Names in `replication_nodes`, in order of preference. Views of `settings`. Does not check them.
/// Allocates.
[[nodiscard]] std::vector<std::string_view> replication_nodes_of(const FailoverSettings& settings);

/// The store in which nodes elect primaries.
enum class ElectionKind : std::uint8_t {
  None,  ///< `election` is empty.
  Etcd,  ///< An etcd cluster.
  File,  ///< A directory of this machine; only for nodes that are all on it.
};

/// One member of an etcd cluster.
struct ElectionEndpoint {
  std::string host;        ///< A name, or a numeric address, IPv6 without brackets.
  std::uint16_t port = 0;  ///< TCP.

  /// The same host, as it is written, and port.
  friend bool operator==(const ElectionEndpoint&, const ElectionEndpoint&) = default;
};

/// The parsed key `election`.
struct ElectionSettings {
  ElectionKind kind = ElectionKind::None;   ///< Which store elects; None: the key is empty.
  Encryption tls = Encryption::Off;         ///< On for `etcds://`.
  std::vector<ElectionEndpoint> endpoints;  ///< Etcd only, in the order in which they are tried.
  std::string directory;                    ///< File only.
};

/// Parses the key `election`. The error describes what is invalid in its text. Allocates.
[[nodiscard]] std::expected<ElectionSettings, base::Error> election_of(
    const NodeSettings& settings);

}  // namespace affix::inline v0::config
