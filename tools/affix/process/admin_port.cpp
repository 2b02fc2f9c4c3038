// SPDX-License-Identifier: MIT
// What the port asks of a program, answered by its log and its command line.
#include "process/admin_port.hpp"

#include <cstdio>

namespace affix::inline v0::tools {

std::expected<std::unique_ptr<AdminPort>, base::Error> AdminPort::open(
    const engine::EngineSettings& settings, engine::Engine& engine, EventLog& log, Reload reload) {
  std::unique_ptr<AdminPort> port(new AdminPort(log, std::move(reload)));
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

void AdminPort::announce() const {
  if (server_ != nullptr) {
    std::printf("administration on %s\n", server_->address().text().c_str());
  }
}

void AdminPort::log(engine::Event::Severity severity, std::string_view session,
                    std::string_view text) {
  log_.write(severity, session, text);
}

std::expected<void, base::Error> AdminPort::audit(engine::Event::Severity severity,
                                                  std::string_view session, std::string_view text) {
  auto kept = log_.audit(severity, session, text);
  if (!kept) {
    log_.write(engine::Event::Severity::Error, {},
               "the audit trail was not written: " + kept.error().text());
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

std::expected<engine::Change, engine::Problems> AdminPort::reload() {
  return reload_();
}

std::expected<engine::Change, engine::Problems> reload_from(const std::string& path,
                                                            engine::Engine& engine) {
  const auto wanted = engine::load_configuration(path);
  if (!wanted) {
    return std::unexpected(wanted.error());
  }
  if (auto tls = engine.reload_tls(); !tls) {
    return std::unexpected(std::move(tls.error()));
  }
  return engine.reload(*wanted);
}

}  // namespace affix::inline v0::tools
