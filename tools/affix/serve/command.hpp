// SPDX-License-Identifier: MIT
// `affix serve`: runs every session of a configuration file with the application that the file
// selects.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::serve {

/// docs/reference/serve.md lists the exit codes.
void add_command(Command program);

}  // namespace affix::inline v0::tools::serve
