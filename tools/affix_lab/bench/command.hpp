// SPDX-License-Identifier: MIT
// `affix-lab bench`: a load generator for any acceptor, an acceptor to measure, and the raw
// baseline
// (`floor`) that both are compared with.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::bench {

void add_command(Command program);

}  // namespace affix::inline v0::tools::bench
