// SPDX-License-Identifier: MIT
// Checks a session group's settings, by themselves and together with the role that their group
// assigns.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/session/options.hpp"

#include "config/findings.hpp"

#include <optional>

namespace affix::inline v0::config {

/// Finds every fault in the settings themselves, and every key without effect. Without a role
/// (client or server group unknown) skips the checks that depend on it. Reads the time zone and the
/// holidays file if keys name them.
void check_session_group(const SessionSettings& settings, std::optional<session::Role> role,
                         Findings& findings);

/// Faults in the settings themselves, as opening the session would report them; empty: none.
[[nodiscard]] Problems check_session(const SessionSettings& settings, session::Role role);

}  // namespace affix::inline v0::config
