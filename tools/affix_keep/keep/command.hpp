// SPDX-License-Identifier: MIT
// The options of `affix-keep`, and its loop.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::keep {

/// Adds the options. Its exit code is 0 after SIGTERM or SIGINT.
void add_options(Command program);

}  // namespace affix::inline v0::tools::keep
