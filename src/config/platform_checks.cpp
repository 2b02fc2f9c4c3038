// SPDX-License-Identifier: MIT
// One line for each key.
#include "config/platform_checks.hpp"

#include <string>

namespace affix::inline v0::config {

namespace {

/// `asked`: the key has a value that needs the ability.
void refuse(std::string_view key, bool asked, bool able, std::string_view what,
            const os::Abilities& abilities, Findings& findings) {
  if (asked && !able && findings.stand({key})) {
    findings.wrong(key, std::string(abilities.system) + " has no " + std::string(what), "C247");
  }
}

}  // namespace

void check_engine_platform(const EngineSettings& settings, const os::Abilities& abilities,
                           Findings& findings) {
  refuse("keeper", !settings.keeper.empty(), abilities.passes_descriptors,
         "keeper of connections: its sockets pass none to another program", abilities, findings);
  refuse("huge_pages", settings.huge_pages, abilities.has_huge_pages,
         "huge pages that a program can ask for", abilities, findings);
  refuse("numa_bind_node", settings.numa_bind_node >= 0, abilities.has_numa_nodes,
         "NUMA nodes that a program can choose", abilities, findings);
  refuse("management_server_cpu_core_id", settings.management_server_cpu_core_id >= 0,
         abilities.pins_threads, "cores that a thread can be pinned to", abilities, findings);
}

void check_instance_platform(const InstanceSettings& settings, const os::Abilities& abilities,
                             Findings& findings) {
  refuse("cpu_core_id", settings.cpu_core_id >= 0, abilities.pins_threads,
         "cores that a thread can be pinned to", abilities, findings);
  refuse("worker_core_ids", !settings.worker_core_ids.empty(), abilities.pins_threads,
         "cores that a thread can be pinned to", abilities, findings);
  refuse("quick_ack", settings.quick_ack, abilities.acknowledges_at_once, "TCP_QUICKACK", abilities,
         findings);
  refuse("busy_poll_microseconds", settings.busy_poll_microseconds != 0, abilities.polls_cards,
         "SO_BUSY_POLL", abilities, findings);
  refuse("receive_time_stamps", settings.receive_time_stamps != ReceiveTimeStamps::None,
         abilities.stamps_bytes, "time stamps of received bytes (SO_TIMESTAMPING)", abilities,
         findings);
}

}  // namespace affix::inline v0::config
