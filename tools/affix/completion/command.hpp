// SPDX-License-Identifier: MIT
// `affix completion`: what shells and manuals need to know of the program's options, from the
// tables that its command line is read by.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace affix::inline v0::tools::completion {

/// A script that completes commands, options and their words in bash.
[[nodiscard]] std::string bash_text(const CLI::App& program);

/// The manual page of `command`, whose whole name is `name` ("affix-journal-verify"), in section 1.
/// `program` says which version it is of.
[[nodiscard]] std::string manual_text(const CLI::App& command, const std::string& name,
                                      const std::string& version);

/// The last of the commands to be added, as it knows those that are there when it runs.
void add_command(CLI::App& program, const std::string& version, int& status);

}  // namespace affix::inline v0::tools::completion
