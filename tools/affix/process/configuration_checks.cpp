// SPDX-License-Identifier: MIT
// Adds each program's checks to those of tokens.
#include "process/configuration_checks.hpp"

#include "affix/service/admin_port.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools {

affix::config::Problems check_for_exchange(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = service::check_tokens(configuration);
  const auto refuse = [&](const std::string& group, const std::string& key, std::int64_t value,
                          const char* instead) {
    problems.push_back(
        {base::ErrorCode::InvalidArgument,
         "key '" + key + "': " + std::to_string(value) +
             " does not go with affix-lab exchange, whose book has one thread: " + instead,
         "[" + group + "] " + key, "C402"});
  };
  const auto check_workers = [&](const affix::config::InstanceSettings& instance) {
    if (instance.worker_thread_count != 1) {
      refuse(instance.name, "worker_thread_count", instance.worker_thread_count,
             "worker_thread_count=1");
    }
  };
  for (const affix::config::ServerSettings& server : configuration.servers) {
    check_workers(server);
  }
  for (const affix::config::ClientSettings& client : configuration.clients) {
    check_workers(client);
  }
  for (const affix::config::SessionSettings& session : configuration.sessions) {
    if (session.callback_thread != -1) {
      refuse(session.name, "callback_thread", session.callback_thread, "leave it out");
    }
  }
  return problems;
}

affix::config::Problems check_for_trade(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = service::check_tokens(configuration);
  if (configuration.sessions.empty()) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "affix-lab trade needs a session group to trade over", "[ENGINE]", "C403"});
  }
  return problems;
}

affix::config::Problems check_for_monitor(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = service::token_problems(configuration.engine);
  if (configuration.engine.counters_file.empty()) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "affix-monitor sees an engine by the file that key 'counters_file' of its "
                        "engine group names, and there is none",
                        "[ENGINE]", "C404"});
  }
  return problems;
}

}  // namespace affix::inline v0::tools
