// SPDX-License-Identifier: MIT
// Commands for the engine: passed on to its administration port, which decides, carries out and
// writes down.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// A command for one engine's port.
struct CommandLine {
  WatchedEngine* engine = nullptr;  ///< Null: of a fleet that has none.
  std::string line;
};

/// What a request's body means; the error is a sentence. Of several engines the session's name or
/// the body's `engine` says which.
[[nodiscard]] std::expected<CommandLine, std::string> command_line_of(const std::string& body,
                                                                      const Fleet& fleet);

/// Shows the engine's port the request's own token, gives it the command and waits for the answer.
[[nodiscard]] Answer answer_action(const Request& request, const CommandLine& command);

}  // namespace affix::inline v0::tools::monitor
