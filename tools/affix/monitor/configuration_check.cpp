// SPDX-License-Identifier: MIT
// A monitor reads counters and tokens.
#include "monitor/configuration_check.hpp"

#include "process/admin_port.hpp"

namespace affix::inline v0::tools::monitor {

affix::config::Problems check_configuration(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = token_problems(configuration.engine);
  if (configuration.engine.counters_file.empty()) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "affix monitor sees an engine by the file that key 'counters_file' of its "
                        "engine group names, and there is none",
                        "[ENGINE]"});
  }
  return problems;
}

}  // namespace affix::inline v0::tools::monitor
