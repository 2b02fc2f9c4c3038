// SPDX-License-Identifier: MIT
// `affix journal`: verifies, repairs, archives and exports journals.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::journal {

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::journal
