// SPDX-License-Identifier: MIT
// Commands for the engine: passed to its administration port, which decides, executes and audits.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// A command for one engine's port.
struct CommandLine {
  WatchedEngine* engine = nullptr;  ///< Null: not set.
  std::string line;
};

/// Parses a request's body. With several engines the session's name or the body's `engine` selects
/// one.
[[nodiscard]] std::expected<CommandLine, base::Error> command_line_of(const std::string& body,
                                                                      const Fleet& fleet);

/// Authenticates at the engine's port with the request's own token, sends the command and waits for
/// the answer.
[[nodiscard]] Answer answer_action(const Request& request, const CommandLine& command);

}  // namespace affix::inline v0::tools::monitor
