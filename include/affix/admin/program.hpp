// SPDX-License-Identifier: MIT
// What the administration port needs of the program that runs the engine: its log and its file.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/change.hpp"
#include "affix/engine/configuration.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::admin {

/// Implemented by the program. Called from the port's two threads, at the same time perhaps, never
/// from a worker's; nothing here may wait for the port.
class Program {
 public:
  /// One line for the log, such as of a connection that was closed. `session` is empty when it is
  /// about no single one.
  virtual void log(engine::Event::Severity severity, std::string_view session,
                   std::string_view text) = 0;

  /// One line of the audit trail: an operator's command that changes something and what came of it,
  /// or a token or role that was refused. Kept when this returns; an error says why it is not, and
  /// the operator is told. When not overridden it is a line for the log.
  [[nodiscard]] virtual std::expected<void, base::Error> audit(engine::Event::Severity severity,
                                                               std::string_view session,
                                                               std::string_view text) {
    log(severity, session, text);
    return {};
  }

  /// The log goes on in the file that its path leads to now, for when the old one was moved away.
  /// On an error it goes on as it was. May wait for the disk. When not overridden there is nothing
  /// to be opened anew.
  [[nodiscard]] virtual std::expected<void, base::Error> reopen_log() {
    return std::unexpected(
        base::Error{base::ErrorCode::Unsupported, "this program's log is in no file", {}});
  }

  /// Where the log goes, for people: a path, or "standard error".
  [[nodiscard]] virtual std::string log_place() const = 0;

  /// ERROR, WARNING, INFO or DEBUG.
  [[nodiscard]] virtual std::string log_level() const = 0;

  /// `level` is one of these.
  virtual void set_log_level(std::string_view level) = 0;

  /// Makes what runs what the program's file says now, all of it or, with every problem told,
  /// nothing. May wait for the disk.
  [[nodiscard]] virtual std::expected<engine::Change, engine::Problems> reload() = 0;

 protected:
  Program() = default;
  Program(const Program&) = default;
  Program& operator=(const Program&) = default;
  ~Program() = default;
};

}  // namespace affix::inline v0::admin
