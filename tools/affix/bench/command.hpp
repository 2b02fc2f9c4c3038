// SPDX-License-Identifier: MIT
// `affix bench`: a load generator for any acceptor, an acceptor of ours to be measured, and the
// floor that both are compared with.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::bench {

/// Adds the subcommand; when it was chosen, `status` is the program's exit code after parsing.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::bench
