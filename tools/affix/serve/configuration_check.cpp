// SPDX-License-Identifier: MIT
// The built-in applications send from their callbacks, which must run on the thread of both
// sessions' worker.
#include "serve/configuration_check.hpp"

#include "affix/config/words.hpp"
#include "affix/service/admin_port.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using affix::config::GroupKind;

class Checks {
 public:
  explicit Checks(const affix::config::ApplicationSettings& settings) : settings_(settings) {}

  std::vector<affix::config::Finding> check(const affix::config::Configuration& configuration) {
    if (settings_.application != affix::config::ServedApplication::Plugin) {
      for (const affix::config::SessionSettings& session : configuration.sessions) {
        if (session.callback_thread != -1) {
          refuse(GroupKind::Session, session.name, "callback_thread", session.callback_thread);
        }
      }
      for (const affix::config::ClientSettings& client : configuration.clients) {
        check_workers(GroupKind::Client, client);
      }
      for (const affix::config::ServerSettings& server : configuration.servers) {
        check_workers(GroupKind::Server, server);
      }
    }
    return std::move(problems_);
  }

 private:
  void refuse(GroupKind kind, const std::string& group, std::string_view key, std::int64_t value) {
    problems_.push_back({.kind = kind,
                         .group = group,
                         .key = key,
                         .message = std::string(key) + "=" + std::to_string(value) +
                                    " does not go with application " +
                                    affix::config::value_of(settings_, "application"),
                         .code = "C401"});
  }

  void check_workers(GroupKind kind, const affix::config::InstanceSettings& instance) {
    if (settings_.application != affix::config::ServedApplication::Echo &&
        instance.worker_thread_count != 1) {
      refuse(kind, instance.name, "worker_thread_count", instance.worker_thread_count);
    }
  }

  const affix::config::ApplicationSettings& settings_;
  std::vector<affix::config::Finding> problems_;
};

}  // namespace

std::vector<affix::config::Finding> check_for_serving(
    const affix::config::Configuration& configuration) {
  std::vector<affix::config::Finding> problems =
      Checks(configuration.application).check(configuration);
  std::ranges::move(service::check_tokens(configuration), std::back_inserter(problems));
  return problems;
}

affix::config::Problems fixed_differences(const affix::config::Configuration& running,
                                          const affix::config::Configuration& wanted) {
  affix::config::Problems problems;
  const auto compare = [&](const char* key, const std::string& one, const std::string& other) {
    if (one != other) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          "key '" + std::string(key) + "' cannot be changed while it runs",
                          "[APPLICATION]", "E201"});
    }
  };
  compare("application", affix::config::value_of(running.application, "application"),
          affix::config::value_of(wanted.application, "application"));
  compare("plugin_file", running.application.plugin_file, wanted.application.plugin_file);
  compare("plugin_settings", running.application.plugin_settings,
          wanted.application.plugin_settings);
  return problems;
}

}  // namespace affix::inline v0::tools::serve
