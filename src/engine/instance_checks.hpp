// SPDX-License-Identifier: MIT
// Whether the settings of client and server groups are sound and go together.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/findings.hpp"

namespace affix::inline v0::engine {

/// Reads no file and looks nothing up.
void check_client_group(const ClientSettings& client, Findings& findings);
void check_server_group(const ServerSettings& server, Findings& findings);

}  // namespace affix::inline v0::engine
