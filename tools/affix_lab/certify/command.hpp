// SPDX-License-Identifier: MIT
// `affix certify`: plays scenarios against any engine.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::certify {

void add_command(Command program);

}  // namespace affix::inline v0::tools::certify
