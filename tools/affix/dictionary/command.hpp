// SPDX-License-Identifier: MIT
// `affix dictionary`: checks, shows, compares and converts dictionaries.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::dictionary {

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::dictionary
