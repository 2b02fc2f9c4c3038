// SPDX-License-Identifier: MIT
// What is looked at. Each function reads files and compares with what was measured; none changes
// anything or asks the system otherwise.
#pragma once

#include "affix/engine/configuration.hpp"

#include "doctor/finding.hpp"
#include "doctor/measured.hpp"
#include "doctor/system_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

/// Free pages given back, read-ahead of the disk below `folder` (absolute), transparent huge pages.
[[nodiscard]] Findings check_memory(const SystemFiles& files, const Measured& measured,
                                    const std::string& folder);

/// Governor, idle states, clock source, preemption, what else runs on the processors.
[[nodiscard]] Findings check_processors(const SystemFiles& files, const Measured& measured);

/// Processors and their time, descriptors and locked memory that this process may have, and the
/// system's limits on sockets.
[[nodiscard]] Findings check_limits(const SystemFiles& files);

/// The file system and disk below `folder` (absolute), and what a flush takes there.
[[nodiscard]] Findings check_disk(const SystemFiles& files, const Measured& measured,
                                  const std::string& folder);

/// A configuration against the machine: durability, waiting, pinned cores, workers, the journals'
/// and archives' disks, sockets and descriptors.
[[nodiscard]] Findings check_configuration(const SystemFiles& files, const Measured& measured,
                                           const engine::Configuration& configuration);

/// Processors that this process may run on, by /proc/self/status; empty: not known.
[[nodiscard]] std::vector<std::int64_t> allowed_processors(const SystemFiles& files);

/// Interrupts that may come to one of the processors: `24 (eth0-rx-0)`, those of a device only.
[[nodiscard]] std::vector<std::string> interrupts_on(const SystemFiles& files,
                                                     const std::vector<std::int64_t>& processors);

/// Processors that the kernel keeps free of others.
[[nodiscard]] std::vector<std::int64_t> isolated_processors(const SystemFiles& files);

/// At most three of them, and how many more there are.
[[nodiscard]] std::string some_of(const std::vector<std::string>& all);

}  // namespace affix::inline v0::tools::doctor
