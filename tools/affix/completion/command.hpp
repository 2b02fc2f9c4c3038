// SPDX-License-Identifier: MIT
// `affix completion`: derives shell completion and manual pages from the tables that define the
// command line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace affix::inline v0::tools::completion {

/// A script that completes commands, options and their words in bash.
[[nodiscard]] std::string bash_text(const CLI::App& program);

/// The manual page of `command`, whose full name is `name` ("affix-journal-verify"), in section 1.
/// `program` has the program's version.
[[nodiscard]] std::string manual_text(const CLI::App& command, const std::string& name,
                                      const std::string& version);

/// Add it last: when it runs, it covers the commands added by then.
void add_command(CLI::App& program, const std::string& version, int& status);

}  // namespace affix::inline v0::tools::completion
