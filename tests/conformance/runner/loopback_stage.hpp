// SPDX-License-Identifier: MIT
// Plays scenarios over TCP on the loopback interface: the real engine on a real reactor with a test
// clock, so that an hour passes at once.
#pragma once

#include "certify/stage.hpp"

#include <string_view>

namespace affix::conformance {

using certify::Identity;
using certify::Role;
using certify::Scenario;
using certify::Stage;
using certify::Version;

[[nodiscard]] std::unique_ptr<Stage> make_loopback_stage(std::string_view reactor,
                                                         const Scenario& scenario, Role role,
                                                         const Version& version,
                                                         const Identity& identity,
                                                         std::string& error);

}  // namespace affix::conformance
