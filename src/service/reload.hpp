// SPDX-License-Identifier: MIT
// Carries out SIGHUP: applies the current configuration file to the running process.
#pragma once

#include "affix/engine/checked_configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/steps.hpp"

#include <expected>
#include <mutex>
#include <string>

namespace affix::inline v0::service {

/// Where a configuration comes from.
struct ConfigurationSource {
  std::string path;  ///< Empty: it was made without a file and is not read again.
  engine::FurtherCheck check = nullptr;
};

/// Any thread, one at a time, except one that drives the engine. References outlive it.
class Reload final : public Reloader {
 public:
  /// `running` was read from `source`.
  Reload(ConfigurationSource source, config::Configuration running, engine::Engine& engine,
         Steps& steps, EventLog& log);

  /// Reopens the log, reads the file, and applies it to the engine and the program. If the file is
  /// invalid, or changes something that cannot change, nothing is applied: all problems are logged
  /// and returned. Blocks on the disk.
  [[nodiscard]] std::expected<engine::Change, config::Problems> reload() override;

  /// True unless the last applied file has `ignore_sighup`.
  [[nodiscard]] bool is_wanted() const {
    const std::lock_guard guard(mutex_);
    return !running_.engine.ignore_sighup;
  }

 private:
  [[nodiscard]] std::expected<engine::Change, config::Problems> apply_file();
  [[nodiscard]] std::unexpected<config::Problems> refuse(config::Problems problems);
  void read_tls();

  mutable std::mutex mutex_;  // SIGHUP and the administration port may request it at the same time.
  ConfigurationSource source_;
  config::Configuration running_;
  engine::Engine& engine_;
  Steps& steps_;
  EventLog& log_;
};

}  // namespace affix::inline v0::service
