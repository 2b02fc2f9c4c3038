// SPDX-License-Identifier: MIT
// Options of `affix-lab bench server`.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::bench {

void add_server_command(Command bench);

}  // namespace affix::inline v0::tools::bench
