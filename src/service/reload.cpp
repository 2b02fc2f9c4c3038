// SPDX-License-Identifier: MIT
// First the steps that may fail, then the engine, which applies all or nothing, then the steps that
// cannot fail.
#include "service/reload.hpp"

#include <utility>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

}  // namespace

Reload::Reload(ConfigurationSource source, config::Configuration running, engine::Engine& engine,
               Steps& steps, EventLog& log)
    : source_(std::move(source)),
      running_(std::move(running)),
      engine_(engine),
      steps_(steps),
      log_(log) {}

std::expected<engine::Change, config::Problems> Reload::reload() {
  const std::lock_guard guard(mutex_);
  // Also if the file turns out to be invalid: lines written from now on must not go to a file that
  // was moved away.
  if (const auto reopened = log_.reopen(); !reopened) {
    log_.write(Severity::Error, {}, "reload: log: " + reopened.error().text(), "E209");
  }
  if (!source_.path.empty()) {
    return apply_file();
  }
  read_tls();
  log_.write(Severity::Info, {}, "reload: done, this program has no file to read again", "E209");
  return engine::Change();
}

std::expected<engine::Change, config::Problems> Reload::apply_file() {
  auto checked = engine::load_checked_configuration(source_.path, source_.check);
  if (!checked) {
    return refuse(std::move(checked.error()));
  }
  config::Configuration& wanted = checked->configuration;
  if (config::Problems fixed = steps_.check_reload(running_, wanted); !fixed.empty()) {
    return refuse(std::move(fixed));
  }
  auto change = engine_.reload(wanted);
  if (!change) {
    return refuse(std::move(change.error()));
  }
  for (const base::Error& warning : config::errors_of(wanted.warnings)) {
    log_.write(Severity::Warning, {}, "reload: " + warning.sentence(), warning.message_code);
  }
  for (const engine::SessionChange& session : change->sessions()) {
    log_.write(Severity::Info, session.session,
               std::string("reload: ") + to_text(session.kind) +
                   (session.keys.empty() ? "" : ": " + session.keys),
               "E209");
  }
  steps_.on_reload(wanted);
  if (const auto moved = log_.change(wanted.engine); !moved) {
    log_.write(Severity::Error, {}, "reload: log: " + moved.error().text(), "E209");
  }
  running_ = std::move(wanted);
  read_tls();
  log_.write(
      Severity::Info, {},
      "reload: done, " + std::to_string(running_.sessions.size()) + " sessions are configured",
      "E209");
  return change;
}

std::unexpected<config::Problems> Reload::refuse(config::Problems problems) {
  for (const base::Error& problem : problems) {
    log_.write(Severity::Error, {}, "reload: " + problem.sentence(), problem.message_code);
  }
  log_.write(Severity::Error, {}, "reload: refused, nothing has changed", "E208");
  return std::unexpected(std::move(problems));
}

void Reload::read_tls() {
  if (const auto read = engine_.reload_tls(); !read) {
    for (const base::Error& problem : read.error()) {
      log_.write(Severity::Error, {}, "reload: TLS: " + problem.text(), "E209");
    }
  }
}

}  // namespace affix::inline v0::service
