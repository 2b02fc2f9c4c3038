// SPDX-License-Identifier: MIT
// Checks before the start that the files and directories named by keys exist.
#pragma once

#include "config/group_kinds.hpp"

namespace affix::inline v0::config {

/// Reports every file that the group names and that cannot be read, and every directory that must
/// exist and does not. Opens nothing.
void check_files(const KnownGroup& known, Report& report);

}  // namespace affix::inline v0::config
