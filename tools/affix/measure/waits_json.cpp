// SPDX-License-Identifier: MIT
// Writes one object per cause.
#include "measure/waits_json.hpp"

#include "affix/counters/counters.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools {

nlohmann::ordered_json waits_json(const counters::WorkerReading& worker) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t cause = 0; cause < worker.waits.size(); ++cause) {
    const counters::WaitReading& wait = worker.waits[cause];
    object[counters::wait_cause_names()[cause].name] = {{"count", wait.count},
                                                        {"time", wait.time},
                                                        {"longest", wait.longest},
                                                        {"recent", wait.recent}};
  }
  return object;
}

}  // namespace affix::inline v0::tools
