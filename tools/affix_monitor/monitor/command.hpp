// SPDX-License-Identifier: MIT
// The options of `affix-monitor`.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::monitor {

void add_options(Command program);

}  // namespace affix::inline v0::tools::monitor
