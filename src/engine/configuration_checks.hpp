// SPDX-License-Identifier: MIT
// The one check of a whole configuration, for those that were read from a file and for those that
// a program made.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/findings.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// Finds everything that is wrong with the values, by themselves and together, and what has no
/// effect. Opens nothing, and reads no file but those of schedules.
[[nodiscard]] std::vector<Finding> check_configuration(const Configuration& configuration,
                                                       const std::vector<RefusedKey>& refused = {});

/// Those that keep the engine from starting, each at its "[GROUP]".
[[nodiscard]] Problems problems_of(const std::vector<Finding>& findings);

/// The others as sentences, each with its "[GROUP]", but for those that `known` has: they end as
/// one of its sentences does, which has a better place.
[[nodiscard]] std::vector<std::string> warnings_of(const std::vector<Finding>& findings,
                                                   const std::vector<std::string>& known);

/// Whether a session leaves it open whose it is although there is one group that it can be of.
[[nodiscard]] bool leaves_owner_open(const Configuration& configuration);

/// Gives those sessions their group.
void name_owners(Configuration& configuration);

}  // namespace affix::inline v0::engine
