// SPDX-License-Identifier: MIT
// Adds each program's checks to those of tokens.
#include "process/configuration_checks.hpp"

#include "affix/service/admin_port.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

std::vector<affix::config::Finding> check_for_exchange(
    const affix::config::Configuration& configuration) {
  using affix::config::GroupKind;
  std::vector<affix::config::Finding> problems = service::check_tokens(configuration);
  const auto refuse = [&](GroupKind kind, const std::string& group, std::string_view key,
                          std::int64_t value, const char* instead) {
    problems.push_back(
        {.kind = kind,
         .group = group,
         .key = key,
         .message = "key '" + std::string(key) + "': " + std::to_string(value) +
                    " does not go with affix-lab exchange, whose book has one thread: " + instead,
         .code = "C402"});
  };
  const auto check_workers = [&](GroupKind kind, const affix::config::InstanceSettings& instance) {
    if (instance.worker_thread_count != 1) {
      refuse(kind, instance.name, "worker_thread_count", instance.worker_thread_count,
             "worker_thread_count=1");
    }
  };
  for (const affix::config::ServerSettings& server : configuration.servers) {
    check_workers(GroupKind::Server, server);
  }
  for (const affix::config::ClientSettings& client : configuration.clients) {
    check_workers(GroupKind::Client, client);
  }
  for (const affix::config::SessionSettings& session : configuration.sessions) {
    if (session.callback_thread != -1) {
      refuse(GroupKind::Session, session.name, "callback_thread", session.callback_thread,
             "leave it out");
    }
  }
  return problems;
}

std::vector<affix::config::Finding> check_for_trade(
    const affix::config::Configuration& configuration) {
  std::vector<affix::config::Finding> problems = service::check_tokens(configuration);
  if (configuration.sessions.empty()) {
    problems.push_back({.group = "ENGINE",
                        .message = "affix-lab trade needs a session group to trade over",
                        .code = "C403"});
  }
  return problems;
}

std::vector<affix::config::Finding> check_for_monitor(
    const affix::config::Configuration& configuration) {
  std::vector<affix::config::Finding> problems = service::token_problems(configuration.engine);
  if (configuration.engine.counters_file.empty()) {
    problems.push_back({.group = "ENGINE",
                        .message = "affix-monitor sees an engine by the file that key "
                                   "'counters_file' of its engine group names, and there is none",
                        .code = "C404"});
  }
  return problems;
}

}  // namespace affix::inline v0::tools
