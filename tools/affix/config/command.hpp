// SPDX-License-Identifier: MIT
// `affix config`: checks and shows configuration files, and explains keys. Starts nothing.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace affix::inline v0::tools::config {

/// `status` becomes the exit code when the command runs: 0, or 1 if the file or key is wrong.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::config
