// SPDX-License-Identifier: MIT
// How many file descriptors an engine needs, and how many of them must not go to peers that have
// not logged on: a session whose journal cannot open its next segment ends.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/worker_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// What is kept for journals, and for administration and log files beside them.
[[nodiscard]] std::uint32_t reserved_descriptors(const Configuration& configuration);

/// How many connections without a Logon a server takes: `max_connections_before_logon`, or when
/// that is 0 as many as its group may have sessions, 256 at least.
[[nodiscard]] std::int64_t connections_before_logon(const Configuration& configuration,
                                                    const ServerSettings& server);

/// The same settings with that number in them.
[[nodiscard]] ServerSettings with_connection_limit(const Configuration& configuration,
                                                   const ServerSettings& server);

/// What is short of what all sessions, journals and connections without a Logon need: of the
/// process's descriptors, of which `in_use` are open and `limit` the most, and of the limits
/// themselves. Empty: nothing.
[[nodiscard]] std::vector<std::string> descriptor_warnings(const Configuration& configuration,
                                                           std::size_t in_use, std::size_t limit);

/// The same for this process as it is now. Reads /proc.
[[nodiscard]] std::vector<std::string> descriptor_warnings(const Configuration& configuration);

}  // namespace affix::inline v0::engine
