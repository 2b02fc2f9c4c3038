// SPDX-License-Identifier: MIT
// `affix serve`: runs every session of a configuration file with the application that the file
// selects.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace affix::inline v0::tools::serve {

/// `status` becomes the exit code when the command runs; docs/reference/serve.md lists them.
void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::serve
