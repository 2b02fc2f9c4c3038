// SPDX-License-Identifier: MIT
// Reads a configuration's keys about workers and processors.
#include "doctor/instances.hpp"

#include "affix/base/text.hpp"

#include "doctor/system_text.hpp"

#include <algorithm>

namespace affix::inline v0::tools::doctor {

namespace {

Instance instance_of(const affix::config::InstanceSettings& settings,
                     const std::vector<std::int64_t>& allowed) {
  Instance instance{
      .name = settings.name,
      .wait_mode = settings.wait_mode,
      .workers = static_cast<std::size_t>(std::max<std::int64_t>(settings.worker_thread_count, 0)),
      .pinned = {},
      .settings = &settings};
  if (instance.workers == 0) {
    instance.workers = std::max<std::size_t>(allowed.size(), 1);
  }
  if (settings.worker_core_ids == "AUTO") {
    instance.pinned = allowed;
    instance.pinned.resize(std::min(instance.pinned.size(), instance.workers));
  } else if (!settings.worker_core_ids.empty()) {
    // In the order of the workers, which a set of processors would lose.
    std::string_view rest = settings.worker_core_ids;
    while (!rest.empty()) {
      if (const auto core = number_of(base::take_part(rest, ','))) {
        instance.pinned.push_back(*core);
      }
    }
  } else if (settings.cpu_core_id >= 0) {
    instance.pinned.push_back(settings.cpu_core_id);
  }
  return instance;
}

}  // namespace

std::vector<Instance> instances_of(const affix::config::Configuration& configuration,
                                   const std::vector<std::int64_t>& allowed) {
  std::vector<Instance> instances;
  for (const affix::config::ClientSettings& client : configuration.clients) {
    instances.push_back(instance_of(client, allowed));
  }
  for (const affix::config::ServerSettings& server : configuration.servers) {
    instances.push_back(instance_of(server, allowed));
  }
  return instances;
}

}  // namespace affix::inline v0::tools::doctor
