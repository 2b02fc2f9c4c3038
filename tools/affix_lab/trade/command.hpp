// SPDX-License-Identifier: MIT
// `affix-lab trade`: the trade client as a program.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::trade {

/// Adds the subcommand; its callback trades and sets `status` to the exit code: 0 if every request
/// was answered and no report contradicted our orders, 1 if not, 2 if it could not begin.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::trade
