// SPDX-License-Identifier: MIT
// Runs a configuration with the application that it selects as a service.
#include "serve/command.hpp"

#include "affix/base/time.hpp"
#include "affix/service/service.hpp"

#include "process/announcement.hpp"
#include "process/configuration_option.hpp"
#include "serve/configuration_check.hpp"
#include "serve/forwarding_application.hpp"
#include "serve/plugin.hpp"

#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

/// The application that the configuration selects.
class ChosenApplication {
 public:
  [[nodiscard]] static std::expected<ChosenApplication, base::Error> make(
      const affix::config::Configuration& configuration, service::EventLog& log) {
    const affix::config::ApplicationSettings& settings = configuration.application;
    ChosenApplication chosen;
    if (settings.application == affix::config::ServedApplication::Plugin) {
      auto plugin = LoadedPlugin::load(settings.plugin_file, settings.plugin_settings, log);
      if (!plugin) {
        return std::unexpected(plugin.error());
      }
      chosen.plugin_ = std::move(*plugin);
    } else if (settings.application == affix::config::ServedApplication::DropCopy) {
      chosen.built_in_ = std::make_unique<DropCopyApplication>(log, settings);
    } else if (settings.application == affix::config::ServedApplication::Router) {
      chosen.built_in_ = std::make_unique<RouterApplication>(log, configuration.routes);
    } else {
      chosen.built_in_ = std::make_unique<EchoApplication>(log);
    }
    return chosen;
  }

  [[nodiscard]] host::Application& application() const {
    return plugin_ != nullptr ? plugin_->application() : *built_in_;
  }

  /// Null: it is a plug-in.
  [[nodiscard]] ForwardingApplication* built_in() const noexcept { return built_in_.get(); }

 private:
  std::unique_ptr<LoadedPlugin> plugin_;
  std::unique_ptr<ForwardingApplication> built_in_;
};

/// Steps of a service with a chosen application, in addition to the engine's.
class ServeSteps final : public service::Steps {
 public:
  /// `application` is null for a plug-in, which is informed of sessions by its callbacks.
  ServeSteps(ForwardingApplication* application, service::EventLog& log)
      : application_(application), log_(log) {}

  void on_open(engine::Engine& engine) override {
    engine_ = &engine;
    if (application_ != nullptr) {
      for (const host::SessionHandle session : engine.sessions()) {
        application_->add(session);
      }
    }
  }

  void on_ready(const engine::Engine& engine, const net::Address* administration) override {
    announce_listeners(engine);
    announce_administration(administration);
    announce_node(engine);
    std::printf("ready\n");
    std::fflush(stdout);
  }

  [[nodiscard]] affix::config::Problems check_reload(
      const affix::config::Configuration& running,
      const affix::config::Configuration& wanted) override {
    return fixed_differences(running, wanted);
  }

  void on_reload(const affix::config::Configuration& wanted) override {
    if (application_ == nullptr) {
      return;
    }
    application_->change(wanted);
    engine_->wake();
    // So that the reload is in force when its end is reported.
    if (!application_->wait_changed(longest_wait_ns)) {
      log_.write(host::Event::Severity::Warning, {},
                 "reload: the worker does not use the new routes yet", "E209");
    }
  }

 private:
  /// Maximum wait for a worker's next turn; shorter than a watchdog's period.
  static constexpr std::int64_t longest_wait_ns = base::ns_per_second;

  ForwardingApplication* application_;
  service::EventLog& log_;
  engine::Engine* engine_ = nullptr;
};

service::Outcome run(const std::string& path, service::Start start) {
  const auto service = service::Service::open(path, {.check = &check_for_serving, .start = start});
  if (!service) {
    return service.error();
  }
  service::EventLog& log = (*service)->log();
  const auto chosen = ChosenApplication::make((*service)->configuration(), log);
  if (!chosen) {
    return {service::ExitStatus::NotStarted, chosen.error().text()};
  }
  ServeSteps steps(chosen->built_in(), log);
  return (*service)->run(chosen->application(), steps);
}

struct Starts {
  bool take_over = false;
  bool stand_by = false;
};

}  // namespace

void add_command(Command program) {
  auto path = std::make_shared<std::string>();
  Command command = program.add_command(
      "serve", "Run all clients and servers of a configuration until SIGTERM or SIGINT");
  add_configuration_option(command, *path, "Configuration file");
  auto start = std::make_shared<Starts>();
  const Option take_over = command.add_flag("--take-over", start->take_over,
                                            "Ask the process that serves this configuration to "
                                            "hand over, and go on with its connections");
  command
      .add_flag("--stand-by", start->stand_by,
                "Wait until the process that serves this configuration has ended, in whatever way, "
                "and go on with its connections")
      .excludes(take_over);
  command.on_run([path, start] {
    return run(*path, start->take_over  ? service::Start::TakeOver
                      : start->stand_by ? service::Start::StandBy
                                        : service::Start::Now)
        .report();
  });
}

}  // namespace affix::inline v0::tools::serve
