// SPDX-License-Identifier: MIT
// The part that all programs have in common: parses the command line, runs the selected command,
// and converts failures to texts and exit codes.
#pragma once

#include <span>

namespace CLI {
class App;
}

namespace affix::inline v0::tools {

/// Exit code of a wrong command line.
inline constexpr int usage_status = 2;

struct ProgramText {
  const char* name;
  const char* description;
  const char* footer = "";  ///< Below the list of commands.
};

/// Adds a command, or options of a program without commands. Its callback sets `status`.
using AddCommand = void (*)(CLI::App& program, int& status);

/// Runs `main` of a program: the commands, and `completion`, which every program has. Returns the
/// exit code.
[[nodiscard]] int run_program(const ProgramText& text, std::span<const AddCommand> commands,
                              int argc, char** argv);

}  // namespace affix::inline v0::tools
