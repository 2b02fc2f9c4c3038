// SPDX-License-Identifier: MIT
// Files and directories that keys name: whether they are there, before anything starts.
#pragma once

#include "engine/group_kinds.hpp"

namespace affix::inline v0::engine {

/// Reports every file that the group names and that cannot be read, and every directory that must
/// be there and is not. Opens nothing.
void check_files(const KnownGroup& known, Report& report);

}  // namespace affix::inline v0::engine
