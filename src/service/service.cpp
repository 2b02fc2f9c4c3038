// SPDX-License-Identifier: MIT
// Opens the parts in the order of their dependencies; they end in reverse order.
#include "affix/service/service.hpp"

#include "affix/engine/engine.hpp"
#include "affix/keeper/keeper.hpp"
#include "affix/net/reactor.hpp"
#include "affix/os/this_process.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/service_notice.hpp"

#include "service/awaited_succession.hpp"
#include "service/control_thread.hpp"
#include "service/election.hpp"
#include "service/other_process.hpp"
#include "service/reload.hpp"
#include "service/role_duties.hpp"
#include "service/start_watch.hpp"
#include "service/supervised_application.hpp"
#include "service/upgrade.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace affix::inline v0::service {

namespace {

/// Logs how many descriptors the process may have, and how many the opened engine has taken; the
/// engine itself warns when the rest is too little.
void note_open_files(EventLog& log) {
  const std::optional<std::size_t> open = os::open_descriptors();
  const std::optional<std::size_t> limit = os::descriptors_max();
  if (!open || !limit) {
    return;
  }
  log.write(host::Event::Severity::Info, {},
            std::to_string(*limit) +
                " files and connections may be open (ulimit -n, LimitNOFILE), and " +
                std::to_string(*open) + " are",
            "E128");
}

std::optional<Start> start_from_environment() {
  const char* const value = std::getenv("AFFIX_START");
  const std::string_view word = value == nullptr ? "" : value;
  const std::optional<Start> start = word == "TAKE_OVER"  ? std::optional(Start::TakeOver)
                                     : word == "STAND_BY" ? std::optional(Start::StandBy)
                                                          : std::nullopt;
  ::unsetenv("AFFIX_START");  // It is not for programs that this one starts.
  return start;
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
  Start start;
  std::optional<PidFile> pid_file;  // None until it is another process's no longer.
  EventLog log;
  OtherProcess predecessor{};  // That is to know when this one serves.
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
  const Start start = start_from_environment().value_or(options.start);
  std::optional<PidFile> pid_file;
  if (start == Start::Now) {
    auto opened = PidFile::open(configuration.engine.pid_file);
    if (!opened) {
      return not_started(opened.error());
    }
    pid_file.emplace(std::move(*opened));
  }
  auto log = EventLog::open(configuration.engine, options.program);
  if (!log) {
    return not_started(log.error());
  }
  std::unique_ptr<Parts> parts(new Parts{.path = std::move(path),
                                         .configuration = std::move(configuration),
                                         .check = options.check,
                                         .notice = std::move(notice),
                                         .start = start,
                                         .pid_file = std::move(pid_file),
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

std::expected<void, base::Error> Service::succeed(engine::Succession& succession) {
  auto groundwork = engine::lay_groundwork(parts_->configuration);
  auto awaited = await_succession(parts_->configuration.engine, parts_->start, parts_->notice);
  if (!awaited) {
    return std::unexpected(std::move(awaited.error()));
  }
  succession = std::move(awaited->succession);
  succession.groundwork = std::move(groundwork);
  auto pid_file = PidFile::open(parts_->configuration.engine.pid_file);
  if (!pid_file) {
    return std::unexpected(std::move(pid_file.error()));
  }
  parts_->pid_file.emplace(std::move(*pid_file));
  parts_->predecessor = std::move(awaited->predecessor);
  return {};
}

Outcome Service::run(host::Application& application, Steps& steps) {
  EventLog& log = parts_->log;
  const ServiceNotice& notice = parts_->notice;
  const config::Configuration& configuration = parts_->configuration;
  engine::Succession succession;
  if (parts_->start != Start::Now) {
    // While signals still end the process.
    if (const auto succeeded = succeed(succession); !succeeded) {
      return {ExitStatus::NotStarted, succeeded.error().text()};
    }
  } else if (keeper::is_systemd(configuration.engine.keeper)) {
    auto systemd = open_systemd(succession);
    if (!systemd) {
      return {ExitStatus::NotStarted, systemd.error().text()};
    }
  }
  auto failover = failover_means_of(configuration.engine);
  if (!failover) {
    return {ExitStatus::NotStarted, failover.error().text()};
  }
  // Before the engine's threads, which inherit the mask.
  const BlockedSignals signals;
  RoleDuties roles(configuration, notice, log);
  SupervisedApplication supervised(application, log, roles);
  auto engine = [&] {
    const StartWatch watch(notice, log);
    return engine::Engine::open(configuration, supervised, nullptr, std::move(succession),
                                std::move(*failover));
  }();
  if (!engine) {
    return {ExitStatus::NotStarted, config::text_of(engine.error())};
  }
  steps.on_open(**engine);
  Reload reload({parts_->path, parts_->check}, configuration, **engine, steps, log);
  Upgrade upgrade(configuration.engine, **engine, notice, log);
  auto port = AdminPort::open(configuration.engine, **engine, log, reload, &upgrade);
  if (!port) {
    return {ExitStatus::NotStarted, port.error().text()};
  }
  note_open_files(log);
  steps.on_ready(**engine, (*port)->address());
  bool ended_in_order = false;
  {
    const ControlThread control(signals, **engine, supervised.pulse(), reload, upgrade, roles, log,
                                notice, std::move(parts_->predecessor));
    notice.ready(roles.status());
    ended_in_order = (*engine)->run();
  }
  if (upgrade.leaving()) {
    // In this order: what the successor needs first is free when the keeper gives it the rest.
    port->reset();
    parts_->pid_file.reset();
    // Closing the journals waits for the disk, and the counterparties would wait with it.
    (*engine)->abandon();
    engine->reset();
    upgrade.end();
    return {ExitStatus::InOrder};
  }
  roles.step_down();
  log.write(ended_in_order ? host::Event::Severity::Info : host::Event::Severity::Error, {},
            ended_in_order
                ? "all sessions have ended in order"
                : "shutdown_timeout_seconds have passed: remaining connections are closed",
            ended_in_order ? base::MessageCode("P103") : base::MessageCode("E210"));
  return {ended_in_order ? ExitStatus::InOrder : ExitStatus::CutOff};
}

/// The manager's variables are removed, so the engine could not open its store.
std::expected<void, base::Error> Service::open_systemd(engine::Succession& succession) const {
  auto keeper = keeper::open_systemd_keeper(parts_->notice.socket());
  auto kept = keeper ? (*keeper)->take() : std::unexpected(keeper.error());
  if (!kept) {
    return std::unexpected(std::move(kept.error()));
  }
  succession = {std::move(*keeper), std::move(*kept)};
  return {};
}

}  // namespace affix::inline v0::service
