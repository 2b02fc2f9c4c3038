// SPDX-License-Identifier: MIT
// `affix top`: shows all sessions of an engine from its counters, live on a terminal or once.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::top {

/// Exit code: 0, or 1 if the counters cannot be read.
void add_command(Command program);

}  // namespace affix::inline v0::tools::top
