// SPDX-License-Identifier: MIT
// `completion` of each program: derives shell completion and manual pages from the tables that
// define its command line.
#pragma once

#include "program/options.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::completion {

/// A script that completes commands, options and their words in bash.
[[nodiscard]] std::string bash_text(const CommandForm& program);

/// The same for zsh, with descriptions: a file of `$fpath`, which a shell may also source.
[[nodiscard]] std::string zsh_text(const CommandForm& program);

/// The same for fish.
[[nodiscard]] std::string fish_text(const CommandForm& program);

/// The manual page of `command` in section 1. `path` has its name and those of the commands that it
/// is part of: {"affix", "journal", "verify"}. `version` is the program's.
[[nodiscard]] std::string manual_text(const CommandForm& command,
                                      const std::vector<std::string>& path,
                                      const std::string& version);

/// Covers all commands of the program, whenever they are added.
void add_command(Command program, const std::string& version);

}  // namespace affix::inline v0::tools::completion
