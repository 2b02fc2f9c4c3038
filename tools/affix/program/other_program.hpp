// SPDX-License-Identifier: MIT
// Finds and runs the other programs of this installation.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace affix::inline v0::tools {

/// Path of the program `name`: beside this one, or else in a directory of PATH. Nullopt: in
/// neither.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

/// A command that another program runs: `affix demo` is `affix-lab demo`.
struct Door {
  const char* command;
  const char* program;
  const char* argument;  ///< The other program's command; nullptr: it has none.
};

/// If the first argument is a door's command, replaces this process by its program and returns only
/// if that fails: the exit code, after an error message. Nullopt: it is no door's command.
[[nodiscard]] std::optional<int> run_door(std::span<const Door> doors, int argc, char** argv);

}  // namespace affix::inline v0::tools
