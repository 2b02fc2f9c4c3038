// SPDX-License-Identifier: MIT
// `affix replay`: sends again what a journal's peer once sent, and compares the answers.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace affix::inline v0::tools::replay {

/// `status` becomes the exit code when the command runs: 0, all answers are the same; 1, some
/// differ; 2, the replay failed.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::replay
