// SPDX-License-Identifier: MIT
// Runs a configuration with its application and the engine, from start to exit code.
#include "serve/command.hpp"

#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/service_notice.hpp"

#include "process/announcement.hpp"
#include "process/configuration_option.hpp"
#include "process/start_watch.hpp"
#include "serve/control_thread.hpp"
#include "serve/forwarding_application.hpp"
#include "serve/plugin.hpp"
#include "serve/read_configuration.hpp"
#include "serve/reload.hpp"
#include "serve/supervised_application.hpp"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

/// docs/reference/serve.md describes what follows from each.
enum ExitCode : int {
  InOrder = 0,
  NotStarted = 1,     ///< The system or another process refused a port, a journal or a file.
  CutOff = 3,         ///< Sessions had not logged out within shutdown_timeout_seconds.
  Misconfigured = 6,  ///< As in service scripts: a restart is useless until the file changes.
};

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

/// Reports to standard error whatever the log is, since operators do not look for a failed start in
/// the log.
int fail(ExitCode code, const std::string& text) {
  std::fputs((text.ends_with('\n') ? text : text + "\n").c_str(), stderr);
  return code;
}

/// Logs how many descriptors the process may have, and how many the opened engine has taken; the
/// engine itself warns when the rest is too little.
void note_open_files(service::EventLog& log) {
  rlimit limit{};
  std::error_code error;
  auto entry = std::filesystem::directory_iterator("/proc/self/fd", error);
  if (error || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return;
  }
  std::size_t open = 0;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    ++open;
  }
  log.write(host::Event::Severity::Info, {},
            std::to_string(limit.rlim_cur) +
                " files and connections may be open (ulimit -n, LimitNOFILE), and " +
                std::to_string(open - 1) + " are");  // Without the iterator's own.
}

void announce(const engine::Engine& engine, const service::AdminPort& port) {
  announce_listeners(engine);
  announce_administration(port.address());
  std::printf("ready\n");
  std::fflush(stdout);
}

int run(const std::string& path) {
  const auto configuration = read_configuration(path);
  if (!configuration) {
    return fail(Misconfigured, affix::config::text_of(configuration.error()));
  }
  const service::ServiceNotice notice = service::ServiceNotice::from_environment();
  const auto pid_file = service::PidFile::open(configuration->engine.pid_file);
  if (!pid_file) {
    return fail(NotStarted, pid_file.error().text());
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return fail(NotStarted, log.error().text());
  }
  const auto chosen = ChosenApplication::make(*configuration, *log);
  if (!chosen) {
    return fail(NotStarted, chosen.error().text());
  }
  // Before the engine's threads, which inherit the mask.
  const BlockedSignals signals;
  SupervisedApplication application(chosen->application(), *log);
  const auto engine = [&] {
    const StartWatch watch(notice, *log);
    return engine::Engine::open(*configuration, application);
  }();
  if (!engine) {
    return fail(NotStarted, affix::config::text_of(engine.error()));
  }
  if (chosen->built_in() != nullptr) {
    for (const host::SessionHandle session : (*engine)->sessions()) {
      chosen->built_in()->add(session);
    }
  }
  Reload reload(path, *configuration, **engine, chosen->built_in(), *log);
  const auto port = service::AdminPort::open(configuration->engine, **engine, *log, reload);
  if (!port) {
    return fail(NotStarted, port.error().text());
  }
  note_open_files(*log);
  announce(**engine, **port);
  bool ended_in_order = false;
  {
    const ControlThread control(signals, **engine, application.pulse(), reload, *log, notice);
    notice.ready("running");
    ended_in_order = (*engine)->run();
  }
  log->write(ended_in_order ? host::Event::Severity::Info : host::Event::Severity::Error, {},
             ended_in_order ? "all sessions have ended in order"
                            : "shutdown_timeout_seconds are over: what was left is closed");
  return ended_in_order ? InOrder : CutOff;
}

}  // namespace

void add_command(Command program) {
  auto path = std::make_shared<std::string>();
  Command command = program.add_command(
      "serve", "Run all clients and servers of a configuration until SIGTERM or SIGINT");
  add_configuration_option(command, *path, "Configuration file");
  command.on_run([path] { return run(*path); });
}

}  // namespace affix::inline v0::tools::serve
