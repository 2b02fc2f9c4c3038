// SPDX-License-Identifier: MIT
// `affix-lab bench`: a load generator for any acceptor, an acceptor to measure, and the raw
// baseline
// (`floor`) that both are compared with.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::bench {

/// Adds the subcommand; if it is selected, `status` is the program's exit code after parsing.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::bench
