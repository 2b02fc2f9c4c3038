// SPDX-License-Identifier: MIT
// `affix-lab bench server` as a node of a cluster, so that the cost of failover can be measured.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::bench {

struct NodeOptions {
  std::string name;  ///< Empty: no node.
  std::string addresses;
  std::string election;
  std::string replication = "BEFORE_SEND";
  std::string wait_mode = "BLOCK";
  std::int64_t core = -1;
  std::int64_t timeout_ms = affix::config::FailoverSettings{}.replication_timeout_milliseconds;
  std::int64_t beat_ms = affix::config::FailoverSettings{}.replication_beat_milliseconds;
};

/// Places all sessions of the only server group in a failover group of all nodes, the first of
/// which is preferred. What the node has promised is kept in `directory`. Without a name nothing
/// happens.
void join_cluster(affix::config::Configuration& configuration, const NodeOptions& options,
                  const std::string& directory);

}  // namespace affix::inline v0::tools::bench
