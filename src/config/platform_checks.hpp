// SPDX-License-Identifier: MIT
// Keys that a system has nothing for.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/findings.hpp"
#include "os/abilities.hpp"

namespace affix::inline v0::config {

/// Reports each key of [ENGINE] that asks for something which a system with these abilities lacks.
void check_engine_platform(const EngineSettings& settings, const os::Abilities& abilities,
                           Findings& findings);

/// The same for a client or server group.
void check_instance_platform(const InstanceSettings& settings, const os::Abilities& abilities,
                             Findings& findings);

}  // namespace affix::inline v0::config
