// SPDX-License-Identifier: MIT
// Opens the parts in the order of their dependencies; they end in reverse order.
#include "affix/service/service.hpp"

#include "affix/engine/engine.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/service_notice.hpp"

#include "service/control_thread.hpp"
#include "service/reload.hpp"
#include "service/start_watch.hpp"
#include "service/supervised_application.hpp"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <sys/resource.h>
#include <system_error>
#include <utility>

namespace affix::inline v0::service {

namespace {

/// Logs how many descriptors the process may have, and how many the opened engine has taken; the
/// engine itself warns when the rest is too little.
void note_open_files(EventLog& log) {
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
                std::to_string(open - 1) + " are",  // Without the iterator's own.
            "E128");
}

std::unexpected<Outcome> not_started(const base::Error& error) {
  return std::unexpected(Outcome{ExitStatus::NotStarted, error.text()});
}

}  // namespace

int Outcome::report() const {
  if (!problems.empty()) {
    std::fputs((problems.ends_with('\n') ? problems : problems + "\n").c_str(), stderr);
  }
  return static_cast<int>(status);
}

/// In the order in which they are made.
struct Service::Parts {
  std::string path;  ///< Empty: the configuration has no file.
  config::Configuration configuration;
  engine::FurtherCheck check;
  ServiceNotice notice;
  PidFile pid_file;
  EventLog log;
};

std::expected<std::unique_ptr<Service>, Outcome> Service::open(const std::string& path,
                                                               const ServiceOptions& options) {
  auto checked = engine::load_checked_configuration(path, options.check);
  if (!checked) {
    return std::unexpected(Outcome{ExitStatus::Misconfigured, config::text_of(checked.error())});
  }
  return start(path, std::move(checked->configuration), options);
}

std::expected<std::unique_ptr<Service>, Outcome> Service::open(config::Configuration configuration,
                                                               const ServiceOptions& options) {
  if (options.check != nullptr) {
    if (const config::Problems problems = config::errors_of(options.check(configuration));
        !problems.empty()) {
      return std::unexpected(Outcome{ExitStatus::Misconfigured, config::text_of(problems)});
    }
  }
  return start({}, std::move(configuration), options);
}

std::expected<std::unique_ptr<Service>, Outcome> Service::start(std::string path,
                                                                config::Configuration configuration,
                                                                const ServiceOptions& options) {
  ServiceNotice notice = ServiceNotice::from_environment();
  auto pid_file = PidFile::open(configuration.engine.pid_file);
  if (!pid_file) {
    return not_started(pid_file.error());
  }
  auto log = EventLog::open(configuration.engine, options.program);
  if (!log) {
    return not_started(log.error());
  }
  std::unique_ptr<Parts> parts(new Parts{.path = std::move(path),
                                         .configuration = std::move(configuration),
                                         .check = options.check,
                                         .notice = std::move(notice),
                                         .pid_file = std::move(*pid_file),
                                         .log = std::move(*log)});
  return std::unique_ptr<Service>(new Service(std::move(parts)));
}

Service::Service(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}

Service::~Service() = default;

const config::Configuration& Service::configuration() const noexcept {
  return parts_->configuration;
}

EventLog& Service::log() noexcept {
  return parts_->log;
}

Outcome Service::run(host::Application& application) {
  class NoSteps final : public Steps {};

  NoSteps none;
  return run(application, none);
}

Outcome Service::run(host::Application& application, Steps& steps) {
  EventLog& log = parts_->log;
  const ServiceNotice& notice = parts_->notice;
  const config::Configuration& configuration = parts_->configuration;
  // Before the engine's threads, which inherit the mask.
  const BlockedSignals signals;
  SupervisedApplication supervised(application, log);
  const auto engine = [&] {
    const StartWatch watch(notice, log);
    return engine::Engine::open(configuration, supervised);
  }();
  if (!engine) {
    return {ExitStatus::NotStarted, config::text_of(engine.error())};
  }
  steps.on_open(**engine);
  Reload reload({parts_->path, parts_->check}, configuration, **engine, steps, log);
  const auto port = AdminPort::open(configuration.engine, **engine, log, reload);
  if (!port) {
    return {ExitStatus::NotStarted, port.error().text()};
  }
  note_open_files(log);
  steps.on_ready(**engine, (*port)->address());
  bool ended_in_order = false;
  {
    const ControlThread control(signals, **engine, supervised.pulse(), reload, log, notice);
    notice.ready("running");
    ended_in_order = (*engine)->run();
  }
  log.write(ended_in_order ? host::Event::Severity::Info : host::Event::Severity::Error, {},
            ended_in_order
                ? "all sessions have ended in order"
                : "shutdown_timeout_seconds have passed: remaining connections are closed",
            ended_in_order ? base::MessageCode("P103") : base::MessageCode("E210"));
  return {ended_in_order ? ExitStatus::InOrder : ExitStatus::CutOff};
}

}  // namespace affix::inline v0::service
