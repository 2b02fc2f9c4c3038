// SPDX-License-Identifier: MIT
// Writes one object per group.
#include "measure/failover_json.hpp"

#include "affix/counters/failover_counters.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools {

nlohmann::ordered_json failover_json(const counters::FailoverReading& group) {
  nlohmann::ordered_json object = {{"name", group.name},
                                   {"node", group.node},
                                   {"primary", group.primary},
                                   {"in_sync", group.in_sync}};
  for (std::size_t which = 0; which < group.counters.size(); ++which) {
    object[counters::failover_counter_names()[which].name] = group.counters[which];
  }
  object["standbys"] = nlohmann::ordered_json::array();
  for (const counters::StandbyReading& standby : group.standbys) {
    nlohmann::ordered_json& one = object["standbys"].emplace_back();
    one["name"] = standby.name;
    for (std::size_t which = 0; which < standby.counters.size(); ++which) {
      one[counters::standby_counter_names()[which].name] = standby.counters[which];
    }
  }
  return object;
}

}  // namespace affix::inline v0::tools
