// SPDX-License-Identifier: MIT
// `affix doctor`: what of this machine and of a configuration costs tail or throughput, by how much
// as measured, and what to do.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::doctor {

/// Adds the subcommand; when it was chosen, `status` is the program's exit code after parsing.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::doctor
