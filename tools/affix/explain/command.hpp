// SPDX-License-Identifier: MIT
// `affix explain`: meaning, cause and action of the codes that messages have.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::explain {

/// Adds the command. Its exit code is 2 for a code that does not exist.
void add_command(Command program);

}  // namespace affix::inline v0::tools::explain
