// SPDX-License-Identifier: MIT
// The application and route groups of a configuration: whether what they name is there.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/group_kinds.hpp"

#include <vector>

namespace affix::inline v0::engine {

void check_application(const std::vector<KnownGroup>& groups, const Configuration& configuration,
                       Report& report);

}  // namespace affix::inline v0::engine
