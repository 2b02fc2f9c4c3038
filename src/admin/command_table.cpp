// SPDX-License-Identifier: MIT
// The table of commands.
#include "affix/admin/command.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::admin {

namespace {

using Argument = ArgumentDescription;
using Kind = ArgumentKind;

constexpr Argument session{"session", Kind::Session, false, {}};
constexpr Argument instance{"client/server", Kind::Instance, false, {}};
constexpr Argument number{"number", Kind::Number, false, {}};
constexpr Argument force{"force", Kind::Choice, true, "force"};
constexpr Argument reason{"reason", Kind::Text, true, {}};

constexpr std::array help_arguments{Argument{"command", Kind::Command, true, {}}};
constexpr std::array token_arguments{Argument{"token", Kind::Secret, false, {}}};
constexpr std::array level_arguments{
    Argument{"log_level", Kind::Choice, false, "ERROR|WARNING|INFO|DEBUG"}};
constexpr std::array group_arguments{Argument{"group", Kind::Group, true, {}}};
constexpr std::array instance_arguments{instance};
constexpr std::array session_arguments{session};
constexpr std::array number_arguments{session, number, force};
constexpr std::array reset_arguments{session, force};
constexpr std::array reason_arguments{session, reason};
constexpr std::array add_arguments{Argument{"name", Kind::Name, false, {}},
                                   Argument{"settings", Kind::Settings, false, {}}};
constexpr std::array scope_arguments{Argument{"scope", Kind::Scope, false, {}}, reason};
constexpr std::array tail_arguments{session, Argument{"count", Kind::Number, true, {}}};
constexpr std::array preview_arguments{session, Argument{"from", Kind::Number, false, {}},
                                       Argument{"to", Kind::Number, true, {}}};

constexpr std::string_view of_engine = "Engine";
constexpr std::string_view of_sessions = "Clients, servers and sessions";
constexpr std::string_view of_numbers = "Sequence numbers";
constexpr std::string_view of_changes = "Coming, going and changing";
constexpr std::string_view of_sending = "Kill switch";
constexpr std::string_view of_messages = "Messages";
constexpr std::string_view of_connection = "This connection";

constexpr std::array table{
    CommandDescription{of_engine,
                       "help",
                       Role::None,
                       help_arguments,
                       "Display all commands, or one with its details",
                       {}},
    CommandDescription{
        of_engine, "get_uptime", Role::Read, {}, "Show when the engine was started", {}},
    CommandDescription{of_engine,
                       "get_engine_version",
                       Role::Read,
                       {},
                       "Show the running version, and how it was built",
                       {}},
    CommandDescription{
        of_engine, "get_engine_log_path", Role::Read, {}, "Show where the log is written", {}},
    CommandDescription{of_engine,
                       "get_engine_log_level",
                       Role::Read,
                       {},
                       "Show the lowest severity that is logged",
                       {}},
    CommandDescription{
        of_engine, "set_engine_log_level", Role::Operate, level_arguments,
        "Set the lowest severity that is logged",
        "Applies from the next line on, until the next change or the end of the program."},
    CommandDescription{of_engine,
                       "reopen_log",
                       Role::Operate,
                       {},
                       "Open log_file and audit_file again",
                       "For use after the files were moved. Nothing else changes."},
    CommandDescription{of_engine, "get_configuration", Role::Read, group_arguments,
                       "Show the present value of every key of every group, or of one",
                       "`said` is no if the key has its default. Secrets are dots."},
    CommandDescription{of_sessions,
                       "get_clients",
                       Role::Read,
                       {},
                       "List all client (initiator) groups",
                       "`sending_stopped`: new sessions of the group start stopped (kill)."},
    CommandDescription{of_sessions,
                       "get_servers",
                       Role::Read,
                       {},
                       "List all server (acceptor) groups",
                       "`sending_stopped`: new sessions of the group start stopped (kill)."},
    CommandDescription{of_sessions,
                       "get_instance_config",
                       Role::Read,
                       instance_arguments,
                       "Display the configuration of a client or server",
                       {}},
    CommandDescription{of_sessions,
                       "get_sessions",
                       Role::Read,
                       instance_arguments,
                       "List all sessions of a client or server",
                       {}},
    CommandDescription{
        of_sessions, "get_session_state", Role::Read, session_arguments,
        "Show everything about the state of a session",
        "`missing_to` is the last number known to be missing from the peer, `queued` "
        "the messages that wait for the next logon, `output_waiting` the bytes that "
        "the peer has not read."},
    CommandDescription{of_sessions, "get_session_config", Role::Read, session_arguments,
                       "Display the configuration of a session",
                       "`enabled` is what operators last set."},
    CommandDescription{of_sessions,
                       "get_all_session_states",
                       Role::Read,
                       {},
                       "Show the state of every session of every instance",
                       {}},
    CommandDescription{of_sessions,
                       "sessions",
                       Role::Read,
                       {},
                       "List every session with its numbers and rates",
                       "`out_rate` and `in_rate` are numbers that were given out and taken in, a "
                       "second, since the command was given last on this port, one second at "
                       "least."},
    CommandDescription{of_changes,
                       "enable_session",
                       Role::Operate,
                       session_arguments,
                       "Let a session connect, or accept its peer's connection, again",
                       {}},
    CommandDescription{
        of_changes, "disable_session", Role::Operate, reason_arguments,
        "Log a session out, and keep it disconnected until it is enabled",
        "The peer gets a Logout with the reason as its Text (58). A later Logon is refused."},
    CommandDescription{of_changes,
                       "connect",
                       Role::Operate,
                       session_arguments,
                       "Let a client's session that was logged out connect again at once",
                       {}},
    CommandDescription{
        of_changes, "logout", Role::Operate, reason_arguments, "Log a session out in order",
        "The peer gets a Logout with the reason as its Text (58). A client's session does not "
        "connect again until `connect`; a server's peer may return."},
    CommandDescription{of_changes, "disconnect", Role::Operate, reason_arguments,
                       "End a session's connection at once, without a Logout",
                       "A client's session connects again as after any loss. The reason goes into "
                       "the log and the journal."},
    CommandDescription{
        of_changes, "test_session", Role::Operate, session_arguments, "Send a TestRequest", {}},
    CommandDescription{of_changes, "add_session", Role::Operate, add_arguments,
                       "Add a session to a client or server that runs",
                       "Settings are those of a session group, `key=value` each, with quotes round "
                       "a value with spaces: `add_session S9 instance=SERVER begin_string=FIX.4.4 "
                       "sender_comp_id=A target_comp_id=B`. The answer ends with the warnings that "
                       "a file's session would log. It is gone with the program unless the file "
                       "says it too."},
    CommandDescription{of_changes,
                       "remove_session",
                       Role::Operate,
                       reason_arguments,
                       "Log a session out and forget it; its journal stays",
                       {}},
    CommandDescription{of_changes,
                       "reload",
                       Role::Operate,
                       {},
                       "Apply the changes of the configuration file",
                       "All changes are applied, or none, with a list of all problems. The TLS "
                       "files are read again, too."},
    CommandDescription{of_numbers,
                       "get_incoming_sequence_number",
                       Role::Read,
                       session_arguments,
                       "Show the number that the peer's next message must have",
                       {}},
    CommandDescription{of_numbers,
                       "get_outgoing_sequence_number",
                       Role::Read,
                       session_arguments,
                       "Show the number that our next message will have",
                       {}},
    CommandDescription{of_numbers, "set_incoming_sequence_number", Role::Operate, number_arguments,
                       "Set the number that the peer's next message must have",
                       "Refused without `force` if the number is lowered or the session has a "
                       "connection; the answer then states the consequences."},
    CommandDescription{of_numbers, "set_outgoing_sequence_number", Role::Operate, number_arguments,
                       "Set the number that our next message will have",
                       "Refused without `force` if the number is lowered or the session has a "
                       "connection; the answer then states what the peer would see."},
    CommandDescription{of_numbers, "send_sequence_reset", Role::Operate, number_arguments,
                       "Send a SequenceReset (35=4, 123=N): our next message will have this number",
                       "To a session that is logged on; the number is not lowered. Needs `force`, "
                       "and without it says what the peer would see."},
    CommandDescription{
        of_numbers, "reset_session", Role::Operate, reset_arguments, "Set both numbers to 1",
        "In session with a Logon that says so (141=Y). Needs `force`, and without it "
        "says what the peer would see."},
    CommandDescription{of_numbers, "preview_resend", Role::Read, preview_arguments,
                       "Show what a ResendRequest for these numbers would bring",
                       "Reads the journal from outside. `to` 0, or none: all there are. What the "
                       "application would withhold (before_resend) is not known here."},
    CommandDescription{of_messages,
                       "tail",
                       Role::Read,
                       tail_arguments,
                       "Show the last records of a session's journal, 20 or `count`",
                       {}},
    CommandDescription{of_messages, "tap", Role::Read, session_arguments,
                       "Show every record of a session's journal from now on, as it is written",
                       "Until the next line is sent, which is not a command then, or the session "
                       "is removed. Read from the journal: a slow reader costs the engine nothing "
                       "and misses nothing."},
    CommandDescription{of_messages, "latency", Role::Read, session_arguments,
                       "Show a session's latencies since the engine started, with percentiles",
                       "From the file that the engine counts in, which any program may read "
                       "(counters-format.md)."},
    CommandDescription{of_sending, "kill", Role::Operate, scope_arguments,
                       "Stop all application messages of a session, an instance or the engine",
                       "The application is asked first, and may cancel open orders "
                       "(before_stop_sending). Session messages go on. What is asked to be resent, "
                       "or was queued, is gap-filled meanwhile. Sessions that come to the scope "
                       "later, by whatever way, begin stopped, and so does one that comes back "
                       "under a name that was stopped."},
    CommandDescription{of_sending,
                       "resume",
                       Role::Operate,
                       scope_arguments,
                       "Release the kill switch of a session, an instance or the engine",
                       {}},
    CommandDescription{of_connection,
                       "auth",
                       Role::None,
                       token_arguments,
                       "Authenticate: the connection gets the role of the token",
                       {}},
    CommandDescription{of_connection, "whoami", Role::None, {}, "Show this connection's role", {}},
    CommandDescription{of_connection, "quit", Role::None, {}, "Close this connection", {}},
};

bool same_letters(char left, char right) noexcept {
  const auto lower = [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  };
  return lower(left) == lower(right);
}

}  // namespace

const char* to_text(Role role) noexcept {
  switch (role) {
    case Role::None:
      return "none";
    case Role::Read:
      return "read";
    case Role::Operate:
      return "operate";
  }
  return "unknown";
}

std::span<const CommandDescription> commands() noexcept {
  return table;
}

const CommandDescription* find_command(std::string_view name) noexcept {
  const auto found = std::find_if(table.begin(), table.end(), [name](const auto& command) {
    return std::equal(name.begin(), name.end(), command.name.begin(), command.name.end(),
                      same_letters);
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace affix::inline v0::admin
