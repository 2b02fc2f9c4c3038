// SPDX-License-Identifier: MIT
// Services that the administration port needs from the program that runs the engine.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/engine/change.hpp"
#include "affix/host/application.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::admin {

/// Implemented by the program. The port's two threads call it, possibly concurrently; workers never
/// do. No function may wait for the port.
class Program {
 public:
  /// Writes one line to the log, for example about a closed connection. `session` is empty if the
  /// line concerns no single session.
  virtual void log(host::Event::Severity severity, std::string_view session, std::string_view text,
                   base::MessageCode code) = 0;

  /// Writes one line to the audit trail: a command that changes something with its result, or a
  /// refused token or role. The line is stored when this returns; an error is reported to the
  /// operator. The default writes to the log.
  [[nodiscard]] virtual std::expected<void, base::Error> audit(host::Event::Severity severity,
                                                               std::string_view session,
                                                               std::string_view text,
                                                               base::MessageCode code) {
    log(severity, session, text, code);
    return {};
  }

  /// Reopens the log file at its path, after the old file was moved away. On an error
  /// logging continues unchanged. May block on the disk. The default returns
  /// Unsupported.
  [[nodiscard]] virtual std::expected<void, base::Error> reopen_log() {
    return std::unexpected(
        base::Error{base::ErrorCode::Unsupported, "this program's log is in no file", {}, "A125"});
  }

  /// Destination of the log, for display: a path, or "standard error".
  [[nodiscard]] virtual std::string log_place() const = 0;

  /// ERROR, WARNING, INFO or DEBUG.
  [[nodiscard]] virtual std::string log_level() const = 0;

  /// `level` is one of the words of log_level().
  virtual void set_log_level(std::string_view level) = 0;

  /// Applies the program's current configuration file to the running engine: all of it, or, with
  /// every problem as the error, nothing. May block on the disk.
  [[nodiscard]] virtual std::expected<engine::Change, config::Problems> reload() = 0;

  /// Begins to hand the connections over to a new process of `program`; empty: of the same one. The
  /// log says how that goes on. The default returns Unsupported.
  [[nodiscard]] virtual std::expected<void, base::Error> upgrade(const std::string& /*program*/) {
    return std::unexpected(base::Error{
        base::ErrorCode::Unsupported, "this program cannot hand over its connections", {}, "A125"});
  }

 protected:
  Program() = default;
  Program(const Program&) = default;
  Program& operator=(const Program&) = default;
  ~Program() = default;
};

}  // namespace affix::inline v0::admin
