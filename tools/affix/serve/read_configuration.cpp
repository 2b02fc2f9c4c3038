// SPDX-License-Identifier: MIT
// The built-in applications send from their callbacks, which must come from the worker's thread of
// both sessions.
#include "serve/read_configuration.hpp"

#include "affix/engine/checked_configuration.hpp"

#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

class Checks {
 public:
  explicit Checks(std::string application) : application_(std::move(application)) {}

  engine::Problems check(const engine::Configuration& configuration) {
    if (application_ != "PLUGIN") {
      for (const engine::SessionSettings& session : configuration.sessions) {
        if (session.callback_thread != -1) {
          refuse(session.name, "callback_thread");
        }
      }
      for (const engine::ClientSettings& client : configuration.clients) {
        check_workers(client);
      }
      for (const engine::ServerSettings& server : configuration.servers) {
        check_workers(server);
      }
    }
    return std::move(problems_);
  }

 private:
  void refuse(const std::string& group, const std::string& what) {
    problems_.push_back({base::ErrorCode::InvalidArgument,
                         what + " does not go with application " + application_,
                         "[" + group + "]"});
  }

  void check_workers(const engine::InstanceSettings& instance) {
    if (application_ != "ECHO" && instance.worker_thread_count != 1) {
      refuse(instance.name, "worker_thread_count=" + std::to_string(instance.worker_thread_count));
    }
  }

  std::string application_;
  engine::Problems problems_;
};

}  // namespace

std::expected<engine::Configuration, engine::Problems> read_configuration(const std::string& path) {
  auto checked = engine::load_checked_configuration(path);
  if (!checked) {
    return std::unexpected(std::move(checked.error()));
  }
  engine::Configuration& configuration = checked->configuration;
  engine::Problems problems = Checks(configuration.application.application).check(configuration);
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return std::move(configuration);
}

engine::Problems fixed_differences(const engine::Configuration& running,
                                   const engine::Configuration& wanted) {
  engine::Problems problems;
  const auto compare = [&](const char* key, const std::string& one, const std::string& other) {
    if (one != other) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          "key '" + std::string(key) + "' cannot be changed while it runs",
                          "[APPLICATION]"});
    }
  };
  compare("application", running.application.application, wanted.application.application);
  compare("plugin_file", running.application.plugin_file, wanted.application.plugin_file);
  compare("plugin_settings", running.application.plugin_settings,
          wanted.application.plugin_settings);
  return problems;
}

}  // namespace affix::inline v0::tools::serve
