// SPDX-License-Identifier: MIT
// A configuration's needs for the system's limits and for its disks.
#pragma once

#include "affix/config/configuration.hpp"

#include "doctor/finding.hpp"
#include "doctor/system_files.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

/// Open files, locked memory, huge pages, sizes of sockets' buffers, archives.
[[nodiscard]] Findings check_needs(const SystemFiles& files,
                                   const affix::config::Configuration& configuration);

/// Absolute directories of journals, the first one on each file system. Journals in memory have
/// none.
[[nodiscard]] std::vector<std::string> journal_folders(
    const SystemFiles& files, const affix::config::Configuration& configuration);

}  // namespace affix::inline v0::tools::doctor
