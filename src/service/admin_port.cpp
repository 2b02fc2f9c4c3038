// SPDX-License-Identifier: MIT
// Implements the port's requests to the program with its log and its command line.
#include "affix/service/admin_port.hpp"

#include "affix/admin/tokens.hpp"

#include "service/log_lines.hpp"

namespace affix::inline v0::service {

std::expected<std::unique_ptr<AdminPort>, base::Error> AdminPort::open(
    const config::EngineSettings& settings, engine::Engine& engine, EventLog& log,
    Reloader& reloader, Upgrader* upgrader) {
  std::unique_ptr<AdminPort> port(new AdminPort(log, reloader, upgrader));
  if (settings.management_server_port == 0) {
    return port;
  }
  auto server = admin::Server::open(settings, engine, *port);
  if (!server) {
    return std::unexpected(server.error());
  }
  port->server_ = std::move(*server);
  return port;
}

std::vector<config::Finding> check_tokens(const config::Configuration& configuration) {
  return configuration.engine.management_server_port == 0 ? std::vector<config::Finding>()
                                                          : token_problems(configuration.engine);
}

std::vector<config::Finding> token_problems(const config::ManagementSettings& settings) {
  std::vector<config::Finding> problems;
  const auto check = [&](const config::ManagementSettings& some, std::string_view key) {
    if (const auto tokens = admin::Tokens::read(some); !tokens) {
      problems.push_back({.kind = config::GroupKind::Engine,
                          .group = "ENGINE",
                          .key = key,
                          .message = "key '" + std::string(key) + "': " + tokens.error().sentence(),
                          .code = tokens.error().message_code,
                          .error = tokens.error().code});
    }
  };
  // Checks each by itself, to report all problems, and then whether they differ.
  config::ManagementSettings alone;
  alone.management_read_token = settings.management_read_token;
  check(alone, "management_read_token");
  alone = {};
  alone.management_operate_token = settings.management_operate_token;
  check(alone, "management_operate_token");
  alone = {};
  alone.management_users_file = settings.management_users_file;
  check(alone, "management_users_file");
  if (problems.empty()) {
    check(settings, "management_operate_token");
  }
  return problems;
}

const net::Address* AdminPort::address() const noexcept {
  return server_ != nullptr ? &server_->address() : nullptr;
}

void AdminPort::log(host::Event::Severity severity, std::string_view session, std::string_view text,
                    base::MessageCode code) {
  log_.write(severity, session, text, code);
}

std::expected<void, base::Error> AdminPort::audit(host::Event::Severity severity,
                                                  std::string_view session, std::string_view text,
                                                  base::MessageCode code) {
  auto kept = log_.audit(severity, session, text, code);
  if (!kept) {
    log_.write(host::Event::Severity::Error, {},
               "the audit trail was not written: " + kept.error().text(), "A110");
  }
  return kept;
}

std::expected<void, base::Error> AdminPort::reopen_log() {
  return log_.reopen();
}

std::string AdminPort::log_place() const {
  return log_.place();
}

std::string AdminPort::log_level() const {
  return to_text(log_.level());
}

void AdminPort::set_log_level(std::string_view level) {
  log_.set_level(severity_of(level));
}

std::expected<engine::Change, config::Problems> AdminPort::reload() {
  return reloader_.reload();
}

std::expected<engine::Change, config::Problems> FileReload::reload() {
  const auto wanted = config::load_configuration(path_);
  if (!wanted) {
    return std::unexpected(wanted.error());
  }
  if (auto tls = engine_.reload_tls(); !tls) {
    return std::unexpected(std::move(tls.error()));
  }
  return engine_.reload(*wanted);
}

std::expected<void, base::Error> AdminPort::upgrade(const std::string& program) {
  return upgrader_ != nullptr ? upgrader_->upgrade(program) : admin::Program::upgrade(program);
}

}  // namespace affix::inline v0::service
