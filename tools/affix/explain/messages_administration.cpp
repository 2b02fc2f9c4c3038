// SPDX-License-Identifier: MIT
// The administration port. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array administration_rows{
    MessageRow{"A101", Kind::Warning, "starts with sending stopped: the kill switch is set",
               "The session sends no application messages.",
               "The kill switch was set for it before it was created.",
               "the [kill switch](admin.md#commands) was set before the session was created: "
               "`resume` it, or its instance or `engine`"},
    MessageRow{"A102", Kind::Warning,
               "\u2026 speaks HTTP; its connection is closed\n"
               "this port is not a web server",
               "The connection was closed.",
               "A browser or a health check connects to the administration port.",
               "use another port for it"},
    MessageRow{"A103", Kind::Error,
               "there is no command '\u2026': help lists them\n"
               "<\u2026> is missing\n"
               "too many words\n"
               "a quote is not closed\n"
               "\u2026 is not a whole number\n"
               "<\u2026> is one of \u2026\n"
               "<to> is before <from>\n"
               "<count> is at most \u2026",
               "The command was not understood.", "A misspelt word, or a missing argument.",
               "correct the command; `help` lists them"},
    MessageRow{"A104", Kind::Error,
               "there is no \u2026\n"
               "there is no group '\u2026'\n"
               "\u2026 has not just one session: say which\n"
               "there is no session \u2026 of \u2026, which has not just one: say which\n"
               "client or server\n"
               "instance or session\n"
               "a name has letters, digits, '_', '-' and '.', 64 at most\n"
               "'\u2026' is not key=value\n"
               "'\u2026' is for files\n"
               "variables of the environment are for files",
               "The named thing does not exist.", "A misspelt name.",
               "correct the name; `sessions` and `groups` list them"},
    MessageRow{"A105", Kind::Error,
               "no JSON object\n"
               "`id` must be a short string or a whole number\n"
               "`command` must be a string\n"
               "control characters in `command`\n"
               "`arguments` must be a list of at most \u2026\n"
               "`arguments` are strings without control characters, whole numbers or booleans\n"
               "longer than \u2026 bytes\n"
               "control characters\n"
               "a line is longer than \u2026",
               "The line was not understood.",
               "It is no JSON object of the [form](admin.md), or too long.",
               "correct the format of the line"},
    MessageRow{"A106", Kind::Warning,
               "\u2026 needs the role \u2026, and this connection has: \u2026. auth <token> gives "
               "another\n"
               "no such token\n"
               "\u2026 refused: its role is \u2026\n"
               "\u2026 presented an unknown token\n"
               "\u2026 has the role \u2026\n"
               "operator at \u2026",
               "A command, token or role was refused or given.",
               "The connection has no role, or another one than the command needs.",
               "present the right token by `auth`; see [roles](admin.md#who-may-do-what)"},
    MessageRow{"A107", Kind::Warning,
               "closed to admit a new connection\n"
               "closed: it does not read what it asked for\n"
               "closed: it has not authenticated\n"
               "closed: idle for too long\n"
               "too many connections\n"
               "connection of \u2026 refused: management_connections_max is met\n"
               "no connection is accepted: \u2026\n"
               "connection of \u2026 \u2026\n"
               "its connection was lost before the answer\n"
               "\u2026 lines were left out before this one)",
               "A connection to the port was refused or closed; the reason follows.",
               "More connections than `management_connections_max`, or a client that is silent or "
               "does not read.",
               "close other connections to the port, or raise `management_connections_max`: "
               "[limits](admin.md#limits)"},
    MessageRow{
        "A108", Kind::Error,
        "the token cannot be read\n"
        "the variable is not set\n"
        "a token has \u2026 characters\n"
        "management_read_token and management_operate_token are the same\n"
        "the file of users cannot be read\n"
        "is larger than 64 KiB\n"
        "a user is NAME READ TOKEN or NAME OPERATE TOKEN, the name of letters, digits and ._-@\n"
        "user '\u2026' is there twice\n"
        "more than \u2026 users\n"
        "the token of user '\u2026' is another's too",
        "The tokens or users of the port are unusable.",
        "A missing file or variable, or a malformed or doubled token.",
        "correct the token, or the key that names its location"},
    MessageRow{
        "A109", Kind::Warning,
        "is not a file of the kill switch: move it away, and kill again what must be stopped\n"
        "is larger than 4 MiB\n"
        "\u2026 starts with sending stopped: the kill switch is set (\u2026)\n"
        "\u2026 may send: the kill switch was released before this start (\u2026)\n"
        ". A restart may not keep this: \u2026\n"
        ". A restart forgets it: there is no kill_switch_file",
        "Sessions start as the kill switch was set before this start, or the file is unusable.",
        "`kill_switch_file` keeps the state of the kill switch.",
        "`resume` what may send again; move an unusable file away, and `kill` again what must be "
        "stopped: [the kill switch](admin.md#kill-switch)"},
    MessageRow{"A110", Kind::Error,
               "The audit trail was not written: \u2026\n"
               "the audit trail was not written: \u2026\n"
               "no room is left for lines that wait for it, and this one is lost",
               "The command was executed, and its line of the audit trail waits.",
               "The disk of `audit_file` or `log_file` is full or failed.",
               "free space on that disk"},
    MessageRow{"A111", Kind::Note,
               "the log goes on in \u2026\n"
               "SIGUSR1: the log goes on here\n"
               "SIGUSR1: log: \u2026",
               "The log continues in a newly opened file, or in the old one after an error.",
               "SIGUSR1 or `reopen_log`.",
               "nothing; after an error correct the path or its permissions"},
    MessageRow{"A112", Kind::Error,
               "a certificate and its key are given together or not at all\n"
               "needs management_tls_certificate_file too\n"
               "an address beyond this machine needs TLS (management_tls_certificate_file and "
               "management_tls_key_file) and a token (management_read_token, "
               "management_operate_token, management_users_file)\n"
               "needs management_server_port",
               "The port was not opened.",
               "Its keys are incomplete: an address beyond this machine needs TLS and a token.",
               "correct the keys of the administration port"},
    MessageRow{
        "A113", Kind::Error,
        "the worker did not take the command in time; it was withdrawn and will not be executed\n"
        "unchanged: worker busy, withdrawn\n"
        "worker busy\n"
        "worker busy with it\n"
        "\u2026 the worker did not answer in time\n"
        "the queue to the session's worker is full; nothing has happened\n"
        "too much is under way; nothing has happened\n"
        "\u2026 is coming; nothing has happened\n"
        "\u2026 sessions were not reached in time: see the rows, and try again. Sessions "
        "added from now on \u2026\n"
        "start stopped",
        "Nothing has happened.", "A worker did not take the command in time.",
        "try again; if it happens always, a callback blocks the worker"},
    MessageRow{
        "A114", Kind::Warning,
        "the command was begun and has not ended within a second; look again for its result\n"
        "it is accepted and under way\n"
        "it has happened\n"
        "nothing to change\n"
        "nothing would change",
        "The command was begun, and its result is not known yet.", "It takes longer than a second.",
        "look again for the result"},
    MessageRow{"A115", Kind::Error,
               "the session has a connection\n"
               "the session has no connection\n"
               "the session is not logged on\n"
               "the session is a server's: its peer connects\n"
               "it connects when its schedule allows it\n"
               "it does not connect until a command says so\n"
               "logging out\n"
               "out of schedule\n"
               "a TestRequest is on its way\n"
               "the session is not logged on: set_outgoing_sequence_number sets the number without "
               "telling the peer",
               "Nothing has happened.", "The session's state does not permit the command.",
               "wait for the state that the command needs, or change it: `session NAME` shows it"},
    MessageRow{"A116", Kind::Error,
               "the session has a connection: \u2026. Add the word force to do it\n"
               "the number is lowered: \u2026. Add the word force to do it\n"
               "after the next logon \u2026\n"
               "the peer would see a gap, ask for \u2026 and get a gap fill for it\n"
               "the peer would see a number that is too low (it may know \u2026 already) and end "
               "the session, unless its own number was set too; and what was sent under these "
               "numbers could not be resent any more\n"
               "what the peer sends as \u2026 would be too low, which ends the session, and would "
               "never be asked for\n"
               "the peer would be asked to resend \u2026, and the application would get these "
               "messages a second time",
               "Nothing has happened: the command has consequences, which the answer states.",
               "The command changes sequence numbers or ends a connection.",
               "consider the stated consequences, then add `force`"},
    MessageRow{"A117", Kind::Error,
               "sequence numbers begin with 1\n"
               "the next number is \u2026, and a SequenceReset never lowers it\n"
               "the peer would expect \u2026 next, and never ask for what it misses before that\n"
               "a Logon with 141=Y would restart both sides at 1; messages that either side has "
               "not received would be lost\n"
               "both would be 1 here, and the peer, unless it is reset too, would see a number "
               "that is too low after the next logon\n"
               "both numbers start over\n"
               "a reset has begun; an event reports its end",
               "Nothing has happened.",
               "The number is not allowed, or the consequences must be confirmed.",
               "correct the number, or consider the stated consequences and add `force`"},
    MessageRow{
        "A118", Kind::Error,
        "the journal takes nothing at the moment\n"
        "the session's output has no room at the moment, or the number is larger than a "
        "MsgSeqNum may be",
        "Nothing has happened.", "The journal or the output has no room for the moment.",
        "try again; if it stays so, look whether the peer reads (`session NAME`), and whether the "
        "disk of `journal_path` is full"},
    MessageRow{"A119", Kind::Note,
               "\u2026 keeps no journal on disk\n"
               "\u2026: nothing from \u2026 on was sent\n"
               "the next number is \u2026\n"
               "\u2026 messages would be resent, \u2026 numbers gap-filled\n"
               "gap fill\n"
               "; older parts of the journal were not read: too long\n"
               "nothing was measured yet: it is one message in \u2026\n"
               "the engine has no counters_file that others can read",
               "There is nothing to show.",
               "The session's durability keeps no such messages, or nothing was counted.",
               "set `counters_file` for `latency`; use a durability on disk for messages"},
    MessageRow{"A120", Kind::Note, "(\u2026 more rows are left out: too long)",
               "The answer lacks its last rows.", "An answer has at most 4 MiB.",
               "ask for fewer rows, or for those of one session"},
    MessageRow{"A121", Kind::Error,
               "this is not a file of an engine's counters\n"
               "the counters were written by another version of affix",
               "The counters could not be read.",
               "The file is another one, or was written by another version.",
               "use the reader of the same version, for programs that read counters"},
    MessageRow{
        "A122", Kind::Error,
        "affix log: \u2026\n"
        "this is not a file of an engine's latencies\n"
        "the latencies were written by another version of affix",
        "The latencies could not be read.",
        "The file is another one, or was written by another version.",
        "give `--latency` the engine's `latency_file`, and use the reader of the same version"},
    MessageRow{"A123", Kind::Note, "administration: \u2026 -> \u2026",
               "An operator's command with its result.",
               "A command that changes something was given.", "nothing"},
    MessageRow{"A124", Kind::Error,
               "a console needs prompt_toolkit and rich (apt install python3-prompt-toolkit "
               "python3-rich, or pip install affix-admin): \u2026\n"
               "tap <session>\n"
               "the port has closed the connection\n"
               "the connection is closed\n"
               "the answer has no end\n"
               "\u2026: \u2026",
               "`affix-admin` could not send a command, or has no answer to it.",
               "A missing package, a wrong name of the host or certificate, or another program's "
               "port.",
               "read the text, and correct the options of [`affix-admin`](admin.md); the engine's "
               "log says why it closed a connection"},
    MessageRow{"A125", Kind::Error,
               "this program's log is in no file\n"
               "this program cannot hand over its connections",
               "The command did nothing.",
               "The program with the engine does not offer the command.",
               "nothing for `affix serve`, which offers it; a program of your own can serve by "
               "`affix::service`, or override `admin::Program`"},
};

}  // namespace

std::span<const MessageRow> administration_messages() noexcept {
  return administration_rows;
}

}  // namespace affix::inline v0::tools::explain
