// SPDX-License-Identifier: MIT
// Carries out SIGHUP: applies the current configuration file to the running process.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"

#include "serve/forwarding_application.hpp"

#include <expected>
#include <mutex>
#include <string>

namespace affix::inline v0::tools::serve {

/// Any thread, one at a time, except one that drives the engine. References outlive it.
class Reload final : public service::Reloader {
 public:
  /// `running` was read from the file at `path`. `application` is null for a plug-in, which is
  /// informed of sessions by its callbacks.
  Reload(std::string path, affix::config::Configuration running, engine::Engine& engine,
         ForwardingApplication* application, service::EventLog& log);

  /// Reopens the log, reads the file, and applies it to the engine and the application. If the file
  /// is invalid, or changes something that cannot change, nothing is applied: all problems are
  /// logged and returned. Blocks on the disk.
  [[nodiscard]] std::expected<engine::Change, affix::config::Problems> reload() override;

  /// True unless the last applied file has `ignore_sighup`.
  [[nodiscard]] bool is_wanted() const {
    const std::lock_guard guard(mutex_);
    return !running_.engine.ignore_sighup;
  }

 private:
  [[nodiscard]] std::unexpected<affix::config::Problems> refuse(affix::config::Problems problems);
  void read_tls();

  mutable std::mutex mutex_;  // SIGHUP and the administration port may request it at the same time.
  std::string path_;
  affix::config::Configuration running_;
  engine::Engine& engine_;
  ForwardingApplication* application_;
  service::EventLog& log_;
};

}  // namespace affix::inline v0::tools::serve
