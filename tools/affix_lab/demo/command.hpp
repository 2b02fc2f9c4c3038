// SPDX-License-Identifier: MIT
// `affix-lab demo`: an exchange and four traders over real FIX sessions on this machine.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::demo {

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::demo
