// SPDX-License-Identifier: MIT
// Implementations of the commands. The names are those of the table; a test checks that both match.
#pragma once

#include "admin/desk.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// The words of a command, one for each argument, as bind_arguments() gives them.
using Words = std::vector<std::string>;

using Handler = Outcome (*)(Desk& desk, const Words& words);

/// Null for commands of the connection itself (auth, whoami, quit), which the port carries out.
[[nodiscard]] Handler find_handler(std::string_view command) noexcept;

// By file; commands_<subject>.cpp.

[[nodiscard]] Outcome help(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_uptime(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_engine_version(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_engine_log_path(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_engine_log_level(Desk& desk, const Words& words);
[[nodiscard]] Outcome set_engine_log_level(Desk& desk, const Words& words);
[[nodiscard]] Outcome reopen_log(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_configuration(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_session_configuration(Desk& desk, const Words& words);

[[nodiscard]] Outcome get_clients(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_servers(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_sessions(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_session_state(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_all_session_states(Desk& desk, const Words& words);
[[nodiscard]] Outcome sessions(Desk& desk, const Words& words);

[[nodiscard]] Outcome enable_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome disable_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome connect(Desk& desk, const Words& words);
[[nodiscard]] Outcome logout(Desk& desk, const Words& words);
[[nodiscard]] Outcome disconnect(Desk& desk, const Words& words);
[[nodiscard]] Outcome test_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome add_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome remove_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome reload(Desk& desk, const Words& words);

[[nodiscard]] Outcome get_incoming_sequence_number(Desk& desk, const Words& words);
[[nodiscard]] Outcome get_outgoing_sequence_number(Desk& desk, const Words& words);
[[nodiscard]] Outcome set_incoming_sequence_number(Desk& desk, const Words& words);
[[nodiscard]] Outcome set_outgoing_sequence_number(Desk& desk, const Words& words);
[[nodiscard]] Outcome send_sequence_reset(Desk& desk, const Words& words);
[[nodiscard]] Outcome reset_session(Desk& desk, const Words& words);
[[nodiscard]] Outcome preview_resend(Desk& desk, const Words& words);

[[nodiscard]] Outcome tail(Desk& desk, const Words& words);
[[nodiscard]] Outcome tap(Desk& desk, const Words& words);
[[nodiscard]] Outcome latency(Desk& desk, const Words& words);

[[nodiscard]] Outcome kill(Desk& desk, const Words& words);
[[nodiscard]] Outcome resume(Desk& desk, const Words& words);

}  // namespace affix::inline v0::admin
