// SPDX-License-Identifier: MIT
// `affix doctor`: finds settings of this machine and of a configuration that cost tail latency or
// throughput, with the measured cost and a remedy.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::doctor {

/// Adds the subcommand; if it is selected, `status` is the program's exit code after parsing.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::doctor
