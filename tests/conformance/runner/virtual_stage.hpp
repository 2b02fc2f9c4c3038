// SPDX-License-Identifier: MIT
// Plays scenarios in memory and in virtual time: the real engine on a virtual network.
#pragma once

#include "certify/stage.hpp"

namespace affix::conformance {

using certify::Identity;
using certify::Role;
using certify::Scenario;
using certify::Stage;
using certify::Version;

[[nodiscard]] std::unique_ptr<Stage> make_virtual_stage(const Scenario& scenario, Role role,
                                                        const Version& version,
                                                        const Identity& identity,
                                                        std::string& error);

}  // namespace affix::conformance
