// SPDX-License-Identifier: MIT
// `affix replay`: what a journal's peer once sent is sent again, and answers are compared.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace affix::inline v0::tools::replay {

/// `status` becomes the exit code when the command runs: 0, all answers are the same; 1, some are
/// not; 2, it could not be played.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::replay
