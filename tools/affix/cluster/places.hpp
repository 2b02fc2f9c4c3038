// SPDX-License-Identifier: MIT
// Where the administration ports of a cluster's nodes are, and how they are asked.
#pragma once

#include "affix/base/error.hpp"

#include "cluster/cluster.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools::cluster {

/// The command line's places.
struct Given {
  std::string configuration;       ///< Of one node; empty: none.
  std::vector<std::string> nodes;  ///< `HOST:PORT`, or `NAME@HOST:PORT`, of each port.
  std::string token;               ///< `file:PATH` or `env:NAME`; empty: that of the configuration.
  std::string tls_file;            ///< Certificates that the ports must have; empty: that of the
                                   ///< configuration, and without one no TLS.
};

/// Whether a command changes anything, which needs another token.
enum class Access : std::uint8_t { Read, Operate };

/// The ports, and how to ask them.
struct Places {
  std::vector<std::string> addresses;
  AskNode ask;
};

/// Without `nodes` the ports are where the configuration's `node_addresses` are, each with that
/// configuration's management_server_port. Reads files. InvalidArgument (R307): nothing says where
/// the ports are, or a place cannot be read.
[[nodiscard]] std::expected<Places, base::Error> places_of(const Given& given, Access access);

}  // namespace affix::inline v0::tools::cluster
