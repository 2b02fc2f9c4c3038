// SPDX-License-Identifier: MIT
// Words of the command line become keys of a configuration, whose checks judge them.
#include "bench/server/cluster_node.hpp"

#include "affix/base/assert.hpp"
#include "affix/config/words.hpp"

#include <utility>

namespace affix::inline v0::tools::bench {

void join_cluster(affix::config::Configuration& configuration, const NodeOptions& options,
                  const std::string& directory) {
  if (options.name.empty()) {
    return;
  }
  affix::config::EngineSettings& engine = configuration.engine;
  engine.node = options.name;
  engine.node_addresses = options.addresses;
  engine.election = options.election;
  engine.failover_directory = directory + "/failover";
  engine.replication_cpu_core_id = options.core;
  affix::config::FailoverSettings group;
  group.name = "BENCH_GROUP";
  group.replication_timeout_milliseconds = options.timeout_ms;
  group.replication_beat_milliseconds = options.beat_ms;
  // An address that is no address is reported by the check of the configuration.
  if (const auto nodes = affix::config::node_addresses_of(engine)) {
    for (const affix::config::NodeAddress& node : *nodes) {
      group.replication_nodes += (group.replication_nodes.empty() ? "" : ",") + node.name;
    }
  }
  bool chosen = affix::config::choose(engine, "replication_wait_mode", options.wait_mode);
  chosen = affix::config::choose(group, "replication", options.replication) && chosen;
  AFFIX_ASSERT(chosen);  // The command line accepts the keys' words only.
  configuration.servers.front().failover_group = group.name;
  configuration.failovers.push_back(std::move(group));
}

}  // namespace affix::inline v0::tools::bench
