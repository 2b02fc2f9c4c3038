// SPDX-License-Identifier: MIT
// `affix-lab trade`: the trade client as a program.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::trade {

/// Adds the command, which trades. Exit code: 0 if every request was answered and no report
/// contradicted our orders, 1 if not, 2 if it could not begin.
void add_command(Command program);

}  // namespace affix::inline v0::tools::trade
