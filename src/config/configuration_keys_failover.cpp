// SPDX-License-Identifier: MIT
// Keys of failover: those of the engine group that make it a node, and those of failover groups.
#include "config/configuration_keys.hpp"

namespace affix::inline v0::config {

namespace {

/// A frame of the replication protocol, which a backlog has room for in any case.
constexpr std::int64_t frame_bytes_max = 1'048'576;

namespace node_rows {

using Settings = NodeSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"node", &Settings::node}.written_as("name")
        .means("name of this node, one of `node_addresses`; empty: the engine takes no part in failover"),
    Key{"node_addresses", &Settings::node_addresses}.written_as("comma-separated NAME@HOST:PORT").part_of(Feature::Failover)
        .means("numeric addresses at which the nodes of the cluster, this one included, listen for each other; the same on every node"),
    Key{"cluster", &Settings::cluster}.written_as("name").part_of(Feature::Failover)
        .means("name of the cluster; a node refuses connections of nodes that have another"),
    Key{"election", &Settings::election}.written_as("etcd://HOST:PORT,..., etcds://HOST:PORT,..., file:DIRECTORY").part_of(Feature::Failover)
        .means("store in which the nodes elect the primary of each failover group: an etcd cluster, with TLS for `etcds`, or a directory if all nodes are processes of one machine"),
    Key{"election_prefix", &Settings::election_prefix}.part_of(Feature::Failover)
        .means("etcd: beginning of the keys that the nodes use; the same on every node"),
    Key{"election_user", &Settings::election_user}.part_of(Feature::Failover)
        .means("etcd: user that the node authenticates as; empty: none"),
    Key{"election_password", &Settings::election_password}.written_as("file:PATH, env:NAME").names(FileNeed::SecretPlace).part_of(Feature::Failover)
        .means("etcd: location of that user's password"),
    Key{"election_tls_ca_file", &Settings::election_tls_ca_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("`etcds`: CA that must have issued etcd's certificate, PEM; empty: those of the system"),
    Key{"election_tls_certificate_file", &Settings::election_tls_certificate_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("`etcds`: certificate that the node shows to etcd, followed by the intermediate certificates up to its CA, PEM; empty: none"),
    Key{"election_tls_key_file", &Settings::election_tls_key_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("`etcds`: private key of that certificate, PEM"),
    Key{"failover_directory", &Settings::failover_directory}.names(FileNeed::DirectoryToMake).part_of(Feature::Failover)
        .means("directory in which the node records the epochs that it has promised, each on the disk before it counts; a node keeps it for as long as its journals"),
    Key{"replication_cpu_core_id", &Settings::replication_cpu_core_id}.between(-1, 4'095).part_of(Feature::Failover)
        .means("core to which the thread that follows other nodes is pinned; -1: none"),
    Key{"replication_wait_mode", choice_of<&Settings::replication_wait_mode, WaitMode::Block, WaitMode::Spin, WaitMode::SpinThenBlock>()}.one_of("BLOCK|SPIN|SPIN_THEN_BLOCK").part_of(Feature::Failover)
        .means("how that thread waits: asleep, spinning, or spinning before it sleeps. The answers of a standby come sooner if it spins"),
    Key{"replication_tls_certificate_file", &Settings::replication_tls_certificate_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("certificate of this node, followed by the intermediate certificates up to its CA, PEM; nodes use TLS in both directions if it is given, and need it unless all of `node_addresses` are loopback addresses"),
    Key{"replication_tls_key_file", &Settings::replication_tls_key_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("private key of that certificate, PEM"),
    Key{"replication_tls_ca_file", &Settings::replication_tls_ca_file}.names(FileNeed::Readable).part_of(Feature::Failover)
        .means("CA that must have issued the certificates of the other nodes, PEM. Give the cluster a CA of its own: every holder of such a certificate counts as a node"),
};
// clang-format on

}  // namespace node_rows

namespace failover_rows {

using Settings = FailoverSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"replication_nodes", &Settings::replication_nodes}.written_as("comma-separated names of nodes")
        .means("the 2 or 3 nodes of `node_addresses` that can run the group's sessions, in order of preference. A node that is not among them never runs these sessions"),
    Key{"replication", choice_of<&Settings::replication, Replication::Async, Replication::BeforeSend, Replication::BeforeDeliver>()}.one_of("ASYNC|BEFORE_SEND|BEFORE_DELIVER")
        .means("what waits until the standbys that are in sync have the stored records: nothing, so that a failover may lose the newest messages; output; or output, and received messages before the application has them"),
    Key{"replication_timeout_milliseconds", &Settings::replication_timeout_milliseconds}.between(1, 60'000).in(Measure::Milliseconds)
        .means("time that a standby has to acknowledge records; then the primary takes it out of the in-sync set and goes on without it"),
    Key{"replication_beat_milliseconds", &Settings::replication_beat_milliseconds}.between(1, 10'000).in(Measure::Milliseconds)
        .means("time between two signs of life on a replication connection; a node that gives none for three times as long counts as gone"),
    Key{"in_sync_min", &Settings::in_sync_min}.between(1, 3)
        .means("minimum number of nodes, the primary included, that must be in sync; with fewer the primary holds its output"),
    Key{"lease_milliseconds", &Settings::lease_milliseconds}.between(100, 600'000).in(Measure::Milliseconds)
        .means("ASYNC: time for which a primary may go on without a renewal in the store of `election`, and which a standby waits before it takes over"),
    Key{"replication_backlog_bytes", &Settings::replication_backlog_bytes}.between(frame_bytes_max, buffer_max).in(Measure::Bytes)
        .means("maximum number of bytes that wait for one standby; one that needs more is disconnected, and begins again from the primary's journals"),
    Key{"promote_program", &Settings::promote_program}.names(FileNeed::Program)
        .means("program that the engine runs after this node has become the group's primary, such as one that moves a virtual address; empty: none"),
    Key{"demote_program", &Settings::demote_program}.names(FileNeed::Program)
        .means("program that the engine runs after this node has ceased to be the group's primary; empty: none"),
};
// clang-format on

}  // namespace failover_rows

}  // namespace

std::span<const ConfigurationKey<NodeSettings>> node_keys() noexcept {
  return node_rows::table;
}

std::span<const ConfigurationKey<FailoverSettings>> failover_keys() noexcept {
  return failover_rows::table;
}

}  // namespace affix::inline v0::config
