// SPDX-License-Identifier: MIT
// What a configuration needs of the system's limits and of its disks.
#pragma once

#include "affix/engine/configuration.hpp"

#include "doctor/finding.hpp"
#include "doctor/system_files.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

/// Open files, locked memory, huge pages, sizes of sockets' buffers, archives.
[[nodiscard]] Findings check_needs(const SystemFiles& files,
                                   const engine::Configuration& configuration);

/// Absolute folders that journals lie below, each file system's first one. Journals in memory have
/// none.
[[nodiscard]] std::vector<std::string> journal_folders(const SystemFiles& files,
                                                       const engine::Configuration& configuration);

}  // namespace affix::inline v0::tools::doctor
