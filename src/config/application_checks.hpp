// SPDX-License-Identifier: MIT
// Checks the application and route groups of a configuration: their keys go together, and the
// sessions that they name exist.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/findings.hpp"

namespace affix::inline v0::config {

void check_application(const Configuration& configuration, Findings& findings);

}  // namespace affix::inline v0::config
