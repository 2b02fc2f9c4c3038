// SPDX-License-Identifier: MIT
// Checks of one group's settings, by themselves and together. They resolve no name, and read no
// file.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/findings.hpp"

namespace affix::inline v0::config {

void check_client_group(const ClientSettings& client, Findings& findings);
void check_server_group(const ServerSettings& server, Findings& findings);

/// The keys of the administration port. Beyond loopback it needs TLS and a token.
void check_management(const ManagementSettings& settings, Findings& findings);

/// The failover keys of the engine group: addresses, election, TLS.
void check_node(const NodeSettings& settings, Findings& findings);

/// The failover groups, and the client and server groups that name them.
void check_failovers(const Configuration& configuration, Findings& findings);

/// The current group, a session whose client or server group is in a failover group: its journal
/// can be replicated.
void check_replicated_session(const SessionSettings& session, Findings& findings);

/// The application and route groups: the sessions that they name exist.
void check_application(const Configuration& configuration, Findings& findings);

}  // namespace affix::inline v0::config
