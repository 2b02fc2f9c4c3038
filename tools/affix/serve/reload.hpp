// SPDX-License-Identifier: MIT
// What SIGHUP asks for: a running process brought to what its file says now.
#pragma once

#include "affix/engine/engine.hpp"

#include "process/event_log.hpp"
#include "serve/forwarding_application.hpp"

#include <expected>
#include <mutex>
#include <string>

namespace affix::inline v0::tools::serve {

/// Any thread, one at a time, but none that drives the engine. References outlive it.
class Reload {
 public:
  /// `running` was read from the file at `path`. `application` is null for a plug-in, which learns
  /// of sessions by its callbacks.
  Reload(std::string path, engine::Configuration running, engine::Engine& engine,
         ForwardingApplication* application, EventLog& log);

  /// Opens the log anew, reads the file, and has the engine and the application follow. A file that
  /// is wrong, or differs in what cannot change, changes nothing: its problems, every one, are in
  /// the log and in the result. Blocks on the disk.
  std::expected<engine::Change, engine::Problems> run();

  /// Key `ignore_sighup` of the file that was taken over last.
  [[nodiscard]] bool is_wanted() const {
    const std::lock_guard guard(mutex_);
    return !running_.engine.ignore_sighup;
  }

 private:
  [[nodiscard]] std::unexpected<engine::Problems> refuse(engine::Problems problems);
  void read_tls();

  mutable std::mutex mutex_;  // SIGHUP and the administration port may come together.
  std::string path_;
  engine::Configuration running_;
  engine::Engine& engine_;
  ForwardingApplication* application_;
  EventLog& log_;
};

}  // namespace affix::inline v0::tools::serve
