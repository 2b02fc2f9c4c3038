// SPDX-License-Identifier: MIT
// `affix dictionary`: checks, shows, compares and converts dictionaries.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::dictionary {

void add_command(Command program);

}  // namespace affix::inline v0::tools::dictionary
