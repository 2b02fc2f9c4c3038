// SPDX-License-Identifier: MIT
// The life of a serving program: carries out the keys of a configuration that concern the program
// and not the engine, runs the engine, and ends in order.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/checked_configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/start.hpp"
#include "affix/service/steps.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::service {

/// Exit code of a serving program.
enum class ExitStatus : std::uint8_t {
  InOrder = 0,        ///< All sessions have logged out.
  NotStarted = 1,     ///< The system or another process refused a port, a journal or a file.
  CutOff = 3,         ///< Sessions had not logged out within shutdown_timeout_seconds.
  Misconfigured = 6,  ///< As in service scripts: a restart is useless until the file changes.
};

/// How a service has ended, or why it has not started.
struct Outcome {
  ExitStatus status = ExitStatus::InOrder;  ///< For main().
  std::string problems = {};  ///< Why it has not started, one line each; empty: it has.

  /// Writes the problems to standard error, whatever the log is, since operators do not look for a
  /// failed start in the log. Returns the exit code for main().
  [[nodiscard]] int report() const;
};

/// Options that configuration files do not have.
struct ServiceOptions {
  /// Name of the program for syslog, journald, and messages about a log that fails.
  std::string program = "affix";

  /// Problems of a configuration that the engine accepts and this program refuses, at the start and
  /// at a reload. A function of your own includes check_tokens().
  engine::FurtherCheck check = &check_tokens;

  /// The variable AFFIX_START, STAND_BY or TAKE_OVER, has precedence, and is removed.
  Start start = Start::Now;
};

/// Carries out pid_file, log_file and the other keys of the log, audit_file, ignore_sighup and the
/// administration port's keys, and reports to a service manager (sd_notify): ready, reloading,
/// stopping, a start that takes long, and alive as long as every worker responds. One object per
/// process.
///
/// While run() runs, the first SIGTERM or SIGINT logs all sessions out, and the second ends the
/// process as by default; SIGHUP reopens the log and applies the configuration file to the running
/// engine, unless `ignore_sighup` is set; SIGUSR1 reopens the log; with key `keeper`, SIGUSR2
/// starts the program again, which goes on with the connections, and ends this one when that
/// serves. A reload, by SIGHUP or by the administration port's command, applies all of the file or,
/// with every problem in the log, nothing. A configuration without a file is not read again: a
/// reload rereads its TLS files.
class Service {
 public:
  /// Reads and checks the file, takes the pid file, and opens the log. Blocks on the disk. Removes
  /// the service manager's variables from the environment: call it before starting threads.
  /// Misconfigured: the file has problems. NotStarted: a running process has the pid file, or the
  /// log cannot be opened.
  [[nodiscard]] static std::expected<std::unique_ptr<Service>, Outcome> open(
      const std::string& path, const ServiceOptions& options = {});

  /// Does the same with a configuration that was made without a file, which run() checks.
  [[nodiscard]] static std::expected<std::unique_ptr<Service>, Outcome> open(
      config::Configuration configuration, const ServiceOptions& options = {});

  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Writes the rest of the log, then removes the pid file.
  ~Service();

  /// The configuration at the start; Engine::configuration() has accepted changes.
  [[nodiscard]] const config::Configuration& configuration() const noexcept;

  /// The log, for lines of the application's own. Valid as long as the service.
  [[nodiscard]] EventLog& log() noexcept;

  /// Opens the engine and the administration port, and drives the engine until a signal or
  /// Engine::request_stop(). Call it once, on the thread that shall be the first worker's: it
  /// blocks SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGUSR2 in this thread until it returns, so other
  /// threads either start in Steps::on_open() or block them too, and it ignores SIGPIPE from then
  /// on. Passes every callback on to `application`, and writes each event to the log before. Both
  /// arguments outlive the call; the engine is gone when it returns.
  [[nodiscard]] Outcome run(host::Application& application, Steps& steps);

  /// Does the same for a program without steps of its own.
  [[nodiscard]] Outcome run(host::Application& application);

 private:
  struct Parts;

  explicit Service(std::unique_ptr<Parts> parts) noexcept;

  [[nodiscard]] static std::expected<std::unique_ptr<Service>, Outcome> start(
      std::string path, config::Configuration configuration, const ServiceOptions& options);

  [[nodiscard]] std::expected<void, base::Error> succeed(engine::Succession& succession);
  [[nodiscard]] std::expected<void, base::Error> open_systemd(engine::Succession& succession) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace affix::inline v0::service
