// SPDX-License-Identifier: MIT
// `affix replay`: sends again what a journal's peer once sent, and compares the answers.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::replay {

/// Exit code: 0, all answers are the same; 1, some
/// differ; 2, the replay failed.
void add_command(Command program);

}  // namespace affix::inline v0::tools::replay
