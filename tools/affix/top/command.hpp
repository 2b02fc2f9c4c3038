// SPDX-License-Identifier: MIT
// `affix top`: shows all sessions of an engine from its counters, live on a terminal or once.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace affix::inline v0::tools::top {

/// `status` becomes the exit code when the command runs: 0, or 1 if the counters cannot be read.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::top
