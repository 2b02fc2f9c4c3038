// SPDX-License-Identifier: MIT
// `affix log`: reads journals, text logs and captures.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::log {

void add_command(Command program);

}  // namespace affix::inline v0::tools::log
