// SPDX-License-Identifier: MIT
// Checks the settings of client and server groups, by themselves and together.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/findings.hpp"

namespace affix::inline v0::config {

/// Reads no file and resolves no name.
void check_client_group(const ClientSettings& client, Findings& findings);
void check_server_group(const ServerSettings& server, Findings& findings);

}  // namespace affix::inline v0::config
