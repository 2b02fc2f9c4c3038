// SPDX-License-Identifier: MIT
// Whether a session group's settings are sound and go together, by themselves and with the role
// that their group gives them.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/session/options.hpp"

#include "engine/findings.hpp"

#include <optional>

namespace affix::inline v0::engine {

/// Finds everything that is wrong with the settings by themselves, and what has no effect. Without
/// a role (its client or server group is not known) what depends on that is left out. Reads the
/// time zone and the holidays file if keys name some.
void check_session_group(const SessionSettings& settings, std::optional<session::Role> role,
                         Findings& findings);

/// What is wrong with settings by themselves, as opening such a session would say; empty: nothing.
[[nodiscard]] Problems check_session(const SessionSettings& settings, session::Role role);

}  // namespace affix::inline v0::engine
