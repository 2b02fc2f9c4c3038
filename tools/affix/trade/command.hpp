// SPDX-License-Identifier: MIT
// `affix trade`: the trade client as a program.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::trade {

/// Adds the subcommand; its callback trades and leaves the exit status in `status`: 0 when every
/// request was answered and no report contradicted our orders, 1 when not, 2 when it could not
/// begin.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::trade
