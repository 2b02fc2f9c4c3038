// SPDX-License-Identifier: MIT
// The administration port of a program that runs an engine, if its configuration has one.
#pragma once

#include "affix/admin/server.hpp"

#include "process/event_log.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

/// Behind the engine, and destroyed when nobody drives it any more, which is before it is.
class AdminPort final : private admin::Program {
 public:
  using Reload = std::function<std::expected<engine::Change, engine::Problems>()>;

  /// Opens nothing when `settings` have no port. `reload` is what the command of that name does, on
  /// a thread of the port's. Everything outlives it.
  [[nodiscard]] static std::expected<std::unique_ptr<AdminPort>, base::Error> open(
      const engine::EngineSettings& settings, engine::Engine& engine, EventLog& log, Reload reload);

  AdminPort(const AdminPort&) = delete;
  AdminPort& operator=(const AdminPort&) = delete;
  ~AdminPort() = default;

  /// "administration on 127.0.0.1:5042" on standard output; nothing without a port.
  void announce() const;

 private:
  AdminPort(EventLog& log, Reload reload) : log_(log), reload_(std::move(reload)) {}

  void log(engine::Event::Severity severity, std::string_view session,
           std::string_view text) override;
  [[nodiscard]] std::expected<void, base::Error> audit(engine::Event::Severity severity,
                                                       std::string_view session,
                                                       std::string_view text) override;
  [[nodiscard]] std::expected<void, base::Error> reopen_log() override;
  [[nodiscard]] std::string log_place() const override;
  [[nodiscard]] std::string log_level() const override;
  void set_log_level(std::string_view level) override;
  [[nodiscard]] std::expected<engine::Change, engine::Problems> reload() override;

  EventLog& log_;
  const Reload reload_;
  std::unique_ptr<admin::Server> server_;  // Last: its threads call the functions above.
};

/// What is wrong with the tokens, each at its "[ENGINE] key"; reads their files.
[[nodiscard]] engine::Problems token_problems(const engine::ManagementSettings& settings);

/// The same of a program that opens the port; nothing where there is none.
[[nodiscard]] engine::Problems check_tokens(const engine::Configuration& configuration);

/// What `reload` is for a program that takes nothing else from its file: TLS files are read again,
/// and sessions follow.
[[nodiscard]] std::expected<engine::Change, engine::Problems> reload_from(const std::string& path,
                                                                          engine::Engine& engine);

}  // namespace affix::inline v0::tools
