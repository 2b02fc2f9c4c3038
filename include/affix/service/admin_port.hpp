// SPDX-License-Identifier: MIT
// The administration port of a program with an engine, if configured.
#pragma once

#include "affix/admin/server.hpp"
#include "affix/service/event_log.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::service {

/// Carries out the port's command `reload`, on one of the port's threads: applies the program's
/// current configuration to the running engine, all of it or, with every problem as the error,
/// nothing.
class Reloader {
 public:
  [[nodiscard]] virtual std::expected<engine::Change, config::Problems> reload() = 0;

 protected:
  Reloader() = default;
  Reloader(const Reloader&) = default;
  Reloader& operator=(const Reloader&) = default;
  ~Reloader() = default;
};

/// Carries out the port's command `upgrade`, on one of the port's threads: begins to hand over to a
/// new process of that program; empty: of the same one.
class Upgrader {
 public:
  /// An error is the answer to the operator; a success says only that it has begun.
  [[nodiscard]] virtual std::expected<void, base::Error> upgrade(const std::string& program) = 0;

 protected:
  Upgrader() = default;
  /// The base has no state.
  Upgrader(const Upgrader&) = default;
  /// The base has no state.
  Upgrader& operator=(const Upgrader&) = default;
  ~Upgrader() = default;
};

/// For a program that takes nothing but sessions from its file: rereads TLS files and updates
/// sessions.
class FileReload final : public Reloader {
 public:
  /// `engine` outlives it.
  FileReload(std::string path, engine::Engine& engine) : path_(std::move(path)), engine_(engine) {}

  [[nodiscard]] std::expected<engine::Change, config::Problems> reload() override;

 private:
  std::string path_;
  engine::Engine& engine_;
};

/// Declare it after the engine; destroyed when no thread drives the engine any more, before the
/// engine.
class AdminPort final : private admin::Program {
 public:
  /// Opens nothing if `settings` have no port. All arguments but `settings` outlive it. Without an
  /// `upgrader` the command upgrade is refused.
  [[nodiscard]] static std::expected<std::unique_ptr<AdminPort>, base::Error> open(
      const config::EngineSettings& settings, engine::Engine& engine, EventLog& log,
      Reloader& reloader, Upgrader* upgrader = nullptr);

  AdminPort(const AdminPort&) = delete;
  AdminPort& operator=(const AdminPort&) = delete;
  ~AdminPort() = default;

  /// The listening address, with the port that the kernel chose; null without a port.
  [[nodiscard]] const net::Address* address() const noexcept;

 private:
  AdminPort(EventLog& log, Reloader& reloader, Upgrader* upgrader) noexcept
      : log_(log), reloader_(reloader), upgrader_(upgrader) {}

  void log(host::Event::Severity severity, std::string_view session, std::string_view text,
           base::MessageCode code) override;
  [[nodiscard]] std::expected<void, base::Error> audit(host::Event::Severity severity,
                                                       std::string_view session,
                                                       std::string_view text,
                                                       base::MessageCode code) override;
  [[nodiscard]] std::expected<void, base::Error> reopen_log() override;
  [[nodiscard]] std::string log_place() const override;
  [[nodiscard]] std::string log_level() const override;
  void set_log_level(std::string_view level) override;
  [[nodiscard]] std::expected<engine::Change, config::Problems> reload() override;
  [[nodiscard]] std::expected<void, base::Error> upgrade(const std::string& program) override;

  EventLog& log_;
  Reloader& reloader_;
  Upgrader* upgrader_;                     // Null: there is none.
  std::unique_ptr<admin::Server> server_;  // Last member: its threads call the functions above.
};

/// Problems of the tokens, each at its key; reads their files.
[[nodiscard]] std::vector<config::Finding> token_problems(
    const config::ManagementSettings& settings);

/// The same for a program that opens the port; empty without a port.
[[nodiscard]] std::vector<config::Finding> check_tokens(const config::Configuration& configuration);

}  // namespace affix::inline v0::service
