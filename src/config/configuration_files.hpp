// SPDX-License-Identifier: MIT
// Checks the files that a group's keys name, by the condition in the key's row.
#pragma once

#include "config/configuration_keys.hpp"
#include "config/configuration_lines.hpp"

namespace affix::inline v0::config {

/// Reports if the files of this entry do not meet the condition.
void check_file(const Entry& entry, FileNeed need, Report& report);

}  // namespace affix::inline v0::config
