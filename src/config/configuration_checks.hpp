// SPDX-License-Identifier: MIT
// The one check of a whole configuration, whether it was read from a file or made by a
// program.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/config/management_settings.hpp"

#include "config/findings.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::config {

/// Finds every value that is invalid, by itself or together with others, and every key without
/// effect. Opens nothing, and reads no file except those of schedules.
[[nodiscard]] std::vector<Finding> check_configuration(const Configuration& configuration,
                                                       const std::vector<RefusedKey>& refused = {});

/// The findings that do not keep the engine from starting. Leaves out those about the same key and
/// fault as one of `known`, which has a more exact place.
[[nodiscard]] Problems warnings_of(const std::vector<Finding>& findings,
                                   const std::vector<Finding>& known);

/// True if a session names no group and there is exactly one that it can belong to.
[[nodiscard]] bool leaves_owner_open(const Configuration& configuration);

/// Sets the group of those sessions.
void name_owners(Configuration& configuration);

/// The first fault of settings with which a port is opened, made in code or read from a file: of a
/// value by itself or of values together. Port 0 counts as -1.
[[nodiscard]] std::expected<void, base::Error> check_open_port(ManagementSettings settings);

}  // namespace affix::inline v0::config
