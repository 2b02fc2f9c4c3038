// SPDX-License-Identifier: MIT
// Orders need a session.
#include "trade/configuration_check.hpp"

#include "process/admin_port.hpp"

namespace affix::inline v0::tools::trade {

affix::config::Problems check_configuration(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = check_tokens(configuration);
  if (configuration.sessions.empty()) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "affix trade needs a session group to trade over", "[ENGINE]"});
  }
  return problems;
}

}  // namespace affix::inline v0::tools::trade
