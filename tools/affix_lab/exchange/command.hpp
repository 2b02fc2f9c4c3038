// SPDX-License-Identifier: MIT
// `affix-lab exchange`: the exchange simulator as a program.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::exchange {

/// Adds the command, which runs the exchange until it is stopped.
void add_command(Command program);

}  // namespace affix::inline v0::tools::exchange
