// SPDX-License-Identifier: MIT
// The part that all programs have in common.
#pragma once

#include "program/options.hpp"

#include <span>

namespace affix::inline v0::tools {

/// Adds a command, or options of a program without commands.
using AddCommand = void (*)(Command program);

/// Runs `main` of a program: the commands, and `completion`, which every program has. Returns the
/// exit code. `text` has no version yet.
[[nodiscard]] int run_program(ProgramText text, std::span<const AddCommand> commands, int argc,
                              char** argv);

}  // namespace affix::inline v0::tools
