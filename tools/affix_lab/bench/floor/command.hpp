// SPDX-License-Identifier: MIT
// Options of `affix-lab bench floor`.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::bench {

/// Adds the subcommand; if it is selected, `status` is the program's exit code after parsing.
void add_floor_command(CLI::App& bench, int& status);

}  // namespace affix::inline v0::tools::bench
