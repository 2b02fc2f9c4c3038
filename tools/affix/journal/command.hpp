// SPDX-License-Identifier: MIT
// `affix journal`: looks after journals: verifies, repairs, archives, exports.
#pragma once

namespace CLI {
class App;
}

namespace affix::inline v0::tools::journal {

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::journal
