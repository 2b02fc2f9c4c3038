// SPDX-License-Identifier: MIT
// The application and route groups of a configuration: whether their keys go together, and whether
// the sessions that they name are there.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/findings.hpp"

namespace affix::inline v0::engine {

void check_application(const Configuration& configuration, Findings& findings);

}  // namespace affix::inline v0::engine
