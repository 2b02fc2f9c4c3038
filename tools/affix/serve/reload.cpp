// SPDX-License-Identifier: MIT
// First the steps that may fail, then the engine, which applies all or nothing, then the steps that
// cannot fail.
#include "serve/reload.hpp"

#include "affix/base/time.hpp"

#include "serve/read_configuration.hpp"

#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using Severity = host::Event::Severity;

/// Maximum wait for a worker's next turn; shorter than a watchdog's period.
constexpr std::int64_t application_wait_ns = base::ns_per_second;

}  // namespace

Reload::Reload(std::string path, affix::config::Configuration running, engine::Engine& engine,
               ForwardingApplication* application, service::EventLog& log)
    : path_(std::move(path)),
      running_(std::move(running)),
      engine_(engine),
      application_(application),
      log_(log) {}

std::expected<engine::Change, affix::config::Problems> Reload::reload() {
  const std::lock_guard guard(mutex_);
  // Also if the file turns out to be invalid: lines written from now on must not go to a file that
  // was moved away.
  if (const auto reopened = log_.reopen(); !reopened) {
    log_.write(Severity::Error, {}, "reload: log: " + reopened.error().text());
  }
  auto wanted = read_configuration(path_);
  if (!wanted) {
    return refuse(std::move(wanted.error()));
  }
  if (affix::config::Problems fixed = fixed_differences(running_, *wanted); !fixed.empty()) {
    return refuse(std::move(fixed));
  }
  auto change = engine_.reload(*wanted);
  if (!change) {
    return refuse(std::move(change.error()));
  }
  for (const std::string& warning : wanted->warnings) {
    log_.write(Severity::Warning, {}, "reload: " + warning);
  }
  for (const engine::SessionChange& session : change->sessions()) {
    log_.write(Severity::Info, session.session,
               std::string("reload: ") + to_text(session.kind) +
                   (session.keys.empty() ? "" : ": " + session.keys));
  }
  if (application_ != nullptr) {
    application_->change(*wanted);
    engine_.wake();
    // So that the reload is in force when its end is reported.
    if (!application_->wait_changed(application_wait_ns)) {
      log_.write(Severity::Warning, {}, "reload: the worker has not come to the new routes yet");
    }
  }
  if (const auto moved = log_.change(wanted->engine); !moved) {
    log_.write(Severity::Error, {}, "reload: log: " + moved.error().text());
  }
  running_ = std::move(*wanted);
  read_tls();
  log_.write(
      Severity::Info, {},
      "reload: done, " + std::to_string(running_.sessions.size()) + " sessions are configured");
  return change;
}

std::unexpected<affix::config::Problems> Reload::refuse(affix::config::Problems problems) {
  for (const base::Error& problem : problems) {
    log_.write(Severity::Error, {}, "reload: " + problem.text());
  }
  log_.write(Severity::Error, {}, "reload: refused, nothing has changed");
  return std::unexpected(std::move(problems));
}

void Reload::read_tls() {
  if (const auto read = engine_.reload_tls(); !read) {
    for (const base::Error& problem : read.error()) {
      log_.write(Severity::Error, {}, "reload: TLS: " + problem.text());
    }
  }
}

}  // namespace affix::inline v0::tools::serve
