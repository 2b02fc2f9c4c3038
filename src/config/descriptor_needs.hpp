// SPDX-License-Identifier: MIT
// Number of file descriptors that an engine needs, and the part that is kept from peers before
// logon: a session whose journal cannot open its next segment ends.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/worker_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::config {

/// Descriptors kept for journals, administration and log files.
[[nodiscard]] std::uint32_t reserved_descriptors(const Configuration& configuration);

/// Maximum number of connections before logon for a server: `max_connections_before_logon`, or when
/// that is 0 the number of sessions its group may have, at least 256.
[[nodiscard]] std::int64_t connections_before_logon(const Configuration& configuration,
                                                    const ServerSettings& server);

/// Returns the settings with that maximum filled in.
[[nodiscard]] ServerSettings with_connection_limit(const Configuration& configuration,
                                                   const ServerSettings& server);

/// Warnings when all sessions, journals and connections before logon need more than there is: more
/// than the process's descriptors (`in_use` are open, `limit` is the maximum), or more than the
/// configured limits. Empty: there is enough.
[[nodiscard]] Problems descriptor_warnings(const Configuration& configuration, std::size_t in_use,
                                           std::size_t limit);

/// Does the same for this process at present. Reads /proc.
[[nodiscard]] Problems descriptor_warnings(const Configuration& configuration);

}  // namespace affix::inline v0::config
