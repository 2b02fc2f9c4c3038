// SPDX-License-Identifier: MIT
// `affix exchange`: the exchange simulator as a program.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::exchange {

/// Adds the subcommand; when it is chosen, its callback runs the exchange until it is told to stop
/// and leaves the exit status in `status`.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::exchange
