// SPDX-License-Identifier: MIT
// `affix-lab exchange`: the exchange simulator as a program.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::exchange {

/// Adds the subcommand; if it is selected, its callback runs the exchange until it is stopped, and
/// sets `status` to the exit code.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::exchange
