// SPDX-License-Identifier: MIT
// Scenarios over TCP on the loopback interface: the real engine on the real reactor, whose clock is
// ours, so that an hour passes in no time.
#pragma once

#include "stage.hpp"

namespace affix::conformance {

[[nodiscard]] std::unique_ptr<Stage> make_loopback_stage(const Scenario& scenario, Role role,
                                                         const Version& version,
                                                         const Identity& identity,
                                                         std::string& error);

}  // namespace affix::conformance
