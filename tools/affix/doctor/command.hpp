// SPDX-License-Identifier: MIT
// `affix doctor`: finds settings of this machine and of a configuration that cost tail latency or
// throughput, with the measured cost and a remedy.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::doctor {

void add_command(Command program);

}  // namespace affix::inline v0::tools::doctor
