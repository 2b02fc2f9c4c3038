// SPDX-License-Identifier: MIT
// `affix-lab demo`: an exchange and four traders over real FIX sessions on this machine.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::demo {

void add_command(Command program);

}  // namespace affix::inline v0::tools::demo
