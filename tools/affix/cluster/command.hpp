// SPDX-License-Identifier: MIT
// `affix cluster`: which node leads which failover group, and moves of groups.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::cluster {

void add_command(Command program);

}  // namespace affix::inline v0::tools::cluster
