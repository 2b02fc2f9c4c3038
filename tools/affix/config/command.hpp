// SPDX-License-Identifier: MIT
// `affix config`: checks and shows configuration files, and explains keys. Starts nothing.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::config {

/// Exit code: 0, or 1 if the file or key is wrong.
void add_command(Command program);

}  // namespace affix::inline v0::tools::config
