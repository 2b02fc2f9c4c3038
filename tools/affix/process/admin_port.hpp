// SPDX-License-Identifier: MIT
// The administration port of a program with an engine, if configured.
#pragma once

#include "affix/admin/server.hpp"

#include "process/event_log.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

/// Declare it after the engine; destroyed when no thread drives the engine any more, before the
/// engine.
class AdminPort final : private admin::Program {
 public:
  using Reload = std::function<std::expected<engine::Change, affix::config::Problems>()>;

  /// Opens nothing if `settings` have no port. `reload` implements the reload command, on one of
  /// the port's threads. All arguments outlive it.
  [[nodiscard]] static std::expected<std::unique_ptr<AdminPort>, base::Error> open(
      const affix::config::EngineSettings& settings, engine::Engine& engine, EventLog& log,
      Reload reload);

  AdminPort(const AdminPort&) = delete;
  AdminPort& operator=(const AdminPort&) = delete;
  ~AdminPort() = default;

  /// Prints "administration on 127.0.0.1:5042" to standard output; nothing without a port.
  void announce() const;

 private:
  AdminPort(EventLog& log, Reload reload) : log_(log), reload_(std::move(reload)) {}

  void log(host::Event::Severity severity, std::string_view session,
           std::string_view text) override;
  [[nodiscard]] std::expected<void, base::Error> audit(host::Event::Severity severity,
                                                       std::string_view session,
                                                       std::string_view text) override;
  [[nodiscard]] std::expected<void, base::Error> reopen_log() override;
  [[nodiscard]] std::string log_place() const override;
  [[nodiscard]] std::string log_level() const override;
  void set_log_level(std::string_view level) override;
  [[nodiscard]] std::expected<engine::Change, affix::config::Problems> reload() override;

  EventLog& log_;
  const Reload reload_;
  std::unique_ptr<admin::Server> server_;  // Last member: its threads call the functions above.
};

/// Problems of the tokens, each at its "[ENGINE] key"; reads their files.
[[nodiscard]] affix::config::Problems token_problems(
    const affix::config::ManagementSettings& settings);

/// The same for a program that opens the port; empty without a port.
[[nodiscard]] affix::config::Problems check_tokens(
    const affix::config::Configuration& configuration);

/// Implements `reload` for a program that takes nothing else from its file: rereads TLS files and
/// updates sessions.
[[nodiscard]] std::expected<engine::Change, affix::config::Problems> reload_from(
    const std::string& path, engine::Engine& engine);

}  // namespace affix::inline v0::tools
