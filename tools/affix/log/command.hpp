// SPDX-License-Identifier: MIT
// `affix log`: reads journals, text logs and captures.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::log {

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::log
