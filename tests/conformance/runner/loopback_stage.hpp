// SPDX-License-Identifier: MIT
// Scenarios over TCP on the loopback interface: the real engine on a real reactor, whose clock is
// ours, so that an hour passes in no time.
#pragma once

#include "stage.hpp"

#include <string_view>

namespace affix::conformance {

[[nodiscard]] std::unique_ptr<Stage> make_loopback_stage(std::string_view reactor,
                                                         const Scenario& scenario, Role role,
                                                         const Version& version,
                                                         const Identity& identity,
                                                         std::string& error);

}  // namespace affix::conformance
