// SPDX-License-Identifier: MIT
// Where etcd is, and how a node shows who it is.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::service {

/// For open_etcd_election_store().
struct EtcdOptions {
  /// The members of etcd: "http://HOST:PORT" or "https://HOST:PORT", at least one, all of one
  /// kind, the nearest one first. The last one that answered is asked first, then the others in
  /// this order; every few seconds it is tried whether the first one is back.
  std::vector<std::string> endpoints = {};
  /// Beginning of the keys "PREFIX/CLUSTER/GROUP", the same on each node.
  std::string prefix = "/affix";
  /// An election name, the same on each node.
  std::string cluster = {};
  /// Of etcd's authentication; an empty name: none.
  std::string user = {};
  /// Password of that user.
  std::string password = {};
  /// File of the authorities that etcd's certificates are checked against; empty: the system's.
  /// https only.
  std::string ca_file = {};
  /// Certificate and key that this node shows; both empty: none. https only.
  std::string certificate_file = {};
  /// Private key of that certificate.
  std::string key_file = {};
  /// Maximum wait for one endpoint to accept a connection, in nanoseconds.
  std::int64_t connect_ns = 250'000'000;
  /// Maximum wait for an answer, in nanoseconds. A machine that is gone answers nothing, so a
  /// primary holds its output, and a standby does not lead, for as long.
  std::int64_t answer_ns = 500'000'000;
  /// How often all watched entries are read, by one request, in nanoseconds.
  std::int64_t watch_ns = 100'000'000;
};

/// The first thing that is wrong with them: InvalidArgument (R221), or the system's error for a
/// file that cannot be read. Allocates; asks the file system and nobody else.
[[nodiscard]] std::expected<void, base::Error> check_etcd_options(const EtcdOptions& options);

}  // namespace affix::inline v0::service
