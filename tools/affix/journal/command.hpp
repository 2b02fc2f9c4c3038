// SPDX-License-Identifier: MIT
// `affix journal`: verifies, repairs, archives and exports journals.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::journal {

void add_command(Command program);

}  // namespace affix::inline v0::tools::journal
