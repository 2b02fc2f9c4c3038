// SPDX-License-Identifier: MIT
// A directory for files that a benchmark writes: the tests' own. Without it the program ends, since
// a wrong figure is worse than none.
#pragma once

#include "../tests/support/temporary_directory.hpp"

namespace affix_bench {

using affix::support::TemporaryDirectory;

}  // namespace affix_bench
