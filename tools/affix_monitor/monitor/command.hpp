// SPDX-License-Identifier: MIT
// The options of `affix-monitor`.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::monitor {

/// `status` becomes the exit code when the subcommand runs. Both outlive it.
void add_options(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::monitor
