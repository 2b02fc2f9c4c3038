// SPDX-License-Identifier: MIT
// The checks. Each function reads files and compares them with the measurements; none changes
// anything or queries the system otherwise.
#pragma once

#include "affix/config/configuration.hpp"

#include "doctor/finding.hpp"
#include "doctor/measured.hpp"
#include "doctor/system_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

/// Free page reporting, transparent huge pages.
[[nodiscard]] Findings check_memory(const SystemFiles& files, const Measured& measured);

/// Governor, idle states, clock source, preemption, other users of the processors.
[[nodiscard]] Findings check_processors(const SystemFiles& files, const Measured& measured);

/// Processors and their time, descriptors and locked memory available to this process, and the
/// system's limits on sockets.
[[nodiscard]] Findings check_limits(const SystemFiles& files);

/// File system and disk of `folder` (absolute), and its flush time.
[[nodiscard]] Findings check_disk(const SystemFiles& files, const Measured& measured,
                                  const std::string& folder);

/// A configuration against the machine: durability, waiting, pinned cores, workers, the journals'
/// and archives' disks, sockets and descriptors.
[[nodiscard]] Findings check_configuration(const SystemFiles& files, const Measured& measured,
                                           const affix::config::Configuration& configuration);

/// Processors that this process may run on, by /proc/self/status; empty: not known.
[[nodiscard]] std::vector<std::int64_t> allowed_processors(const SystemFiles& files);

/// Device interrupts that may occur on one of the processors: `24 (eth0-rx-0)`.
[[nodiscard]] std::vector<std::string> interrupts_on(const SystemFiles& files,
                                                     const std::vector<std::int64_t>& processors);

/// Processors that the kernel keeps free of other threads.
[[nodiscard]] std::vector<std::int64_t> isolated_processors(const SystemFiles& files);

/// At most three of them, and the number of others.
[[nodiscard]] std::string some_of(const std::vector<std::string>& all);

}  // namespace affix::inline v0::tools::doctor
