// SPDX-License-Identifier: MIT
// One book, one thread.
#include "exchange/configuration_check.hpp"

#include "process/admin_port.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::exchange {

affix::config::Problems check_configuration(const affix::config::Configuration& configuration) {
  affix::config::Problems problems = check_tokens(configuration);
  const auto refuse = [&](const std::string& group, const std::string& key, std::int64_t value,
                          const char* instead) {
    problems.push_back(
        {base::ErrorCode::InvalidArgument,
         "key '" + key + "': " + std::to_string(value) +
             " does not go with affix exchange, whose book has one thread: " + instead,
         "[" + group + "] " + key});
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

}  // namespace affix::inline v0::tools::exchange
