// SPDX-License-Identifier: MIT
// The monitor. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array monitor_rows{
    MessageRow{"M101", Kind::Error, "no such directory", "The monitor does not start.",
               "`--directory` names none.", "name the directory in which the engine runs"},
    MessageRow{
        "M102", Kind::Error,
        "other machines reach \u2026: that needs --tls-certificate and --tls-key\n"
        "readers need a token here: set management_read_token or management_users_file in [ENGINE]",
        "The monitor does not start.", "An address beyond loopback requires TLS and a token.",
        "set `--tls-certificate`, `--tls-key` and a token"},
    MessageRow{"M103", Kind::Error,
               "--operate needs management_server_port in [ENGINE], or --admin\n"
               "--operate needs management_operate_token or management_users_file in [ENGINE]\n"
               "--operate does not go with management_tls_ca_file: the monitor has no certificate\n"
               "--admin is an address and a port, not '\u2026'",
               "Actions are not possible.",
               "The administration port, or the role for it, is not configured.",
               "configure the administration port, which executes the actions"},
    MessageRow{"M104", Kind::Error,
               "there is no administration port\n"
               "the administration port \u2026 cannot be reached: \u2026\n"
               "\u2026 has another certificate, or speaks no TLS\n"
               "the administration port does not take the token",
               "Nothing was done.", "The engine is not running, or its port is another one.",
               "start the engine, or give the monitor the engine's configuration"},
    MessageRow{"M105", Kind::Warning,
               "the administration port has not answered; the command may have been executed",
               "It is unknown whether the action was executed.",
               "The administration port has not answered in time.",
               "check the session before you try again"},
    MessageRow{"M106", Kind::Error,
               "a token is needed\n"
               "the token is wrong\n"
               "this is the token for reading",
               "The request was refused.", "A token is missing, wrong, or for reading only.",
               "present the token of `management_read_token`, for actions that of "
               "`management_operate_token`"},
    MessageRow{"M107", Kind::Error, "too many wrong tokens", "The request was refused.",
               "Several wrong tokens came from the address.",
               "wait a minute, and find out who guesses tokens"},
    MessageRow{"M108", Kind::Error,
               "this monitor is not called '\u2026'; --host NAME gives it a name",
               "The request was refused.", "The name in the address is not one of the monitor's.",
               "set `--host` to the name in the page's address, or use the numeric address"},
    MessageRow{"M109", Kind::Error,
               "another site's page may not read this\n"
               "another site's page may not do this",
               "The request was refused.", "Another site's page sent it.",
               "nothing; if the site is yours, send the request from its server"},
    MessageRow{"M110", Kind::Warning,
               "the engine does not run\n"
               "the engine's administration port does not answer that\n"
               "the monitor's file does not have the session, and the engine cannot be asked",
               "The monitor does not know the session's configuration.",
               "The engine or its administration port is not running.",
               "start the engine, or its administration port: until then a session's configuration "
               "is that of the file, or is not known"},
    MessageRow{
        "M112", Kind::Error,
        "\u2026: is not a file of acknowledged and silenced alerts: \u2026. It was left as it "
        "is: mend it, or move it away to begin without\n"
        "is no file\n"
        "it is cut, or was never one\n"
        "it is of another version\n"
        "'\u2026' is missing or wrong\n"
        "'\u2026' is missing, too long or no list\n"
        "'\u2026' has an element that is not an object\n"
        "'kind' is not a kind of alert\n"
        "a silence has no end or no number of its own\n"
        "is larger than 8 MiB",
        "Alerts could not be loaded.",
        "The file was written by another program, or the disk is damaged.",
        "correct the file, or move it away"},
    MessageRow{
        "M113", Kind::Error,
        "another monitor keeps its acknowledged and silenced alerts there: --alerts-directory",
        "The monitor does not start.", "Another monitor of the same configuration runs.",
        "stop the other monitor of the same configuration, or use another directory"},
    MessageRow{"M115", Kind::Error,
               "nothing was changed, for it could not be kept: \u2026\n"
               "\u2026. The audit trail was not written: \u2026",
               "Nothing was changed, or it was not kept.",
               "The file or the audit trail cannot be written.",
               "free space on the disk of [that file](monitor.md#acknowledged-and-silenced), or "
               "correct its permissions"},
    MessageRow{"M116", Kind::Warning,
               "the alert is over, or there never was one\n"
               "the alert is not acknowledged\n"
               "there is no silence \u2026, or it is over",
               "Nothing was changed.", "The state changed meanwhile.",
               "nothing: read the list again"},
    MessageRow{"M117", Kind::Error,
               "more alerts are acknowledged than can be kept\n"
               "there are \u2026 silences already: end some first",
               "Nothing was changed.", "Limits on acknowledged alerts and silences are reached.",
               "end some of them, or use a pattern that silences many at once"},
    MessageRow{"M118", Kind::Error,
               "an act is a JSON object with act\n"
               "act is acknowledge, withdraw, silence or end_silence\n"
               "'\u2026' is not a member of this act\n"
               "`id` must be a number\n"
               "`kind` must be that of an alert, or *\n"
               "`session` must be a name, or a pattern with * and ?; empty means the engine\n"
               "`seconds` must be from \u2026\n"
               "comment is a text\n"
               "the comment \u2026\n"
               "\u2026 has a value that is not text",
               "The request was not understood.", "A member is missing or wrong.",
               "correct the program's request: [the interface](monitor-api.md)"},
    MessageRow{"M119", Kind::Note,
               "acknowledge \u2026\n"
               "withdraw the acknowledgement of \u2026\n"
               "silence \u2026 until \u2026\n"
               "silence \u2026 every alert \u2026 until \u2026\n"
               "end silence \u2026",
               "A line of the audit trail: an operator's action on alerts.",
               "An operator's action.", "nothing"},
    MessageRow{"M120", Kind::Error, "this monitor was started without --operate",
               "The action was refused.", "The monitor allows reading only.",
               "start the monitor with `--operate` to allow actions"},
    MessageRow{"M121", Kind::Error,
               "an action is a JSON object\n"
               "an action has engine, command, session and arguments, and no other member\n"
               "engine, command and session are strings, arguments a list of at most \u2026\n"
               "arguments are strings, whole numbers and booleans\n"
               "the Content-Type of an action is application/json\n"
               "actions are POST\n"
               "this command is not for the monitor",
               "The request was not understood.", "A member is missing or wrong.",
               "correct the program's request: [the interface](monitor-api.md)"},
    MessageRow{"M122", Kind::Error,
               "there is nothing at this path\n"
               "this path is only read: GET\n"
               "the request's path is malformed\n"
               "the request's path is too long\n"
               "too many parameters\n"
               "`session` must name a session\n"
               "unknown parameter '\u2026'\n"
               "a parameter has a bad % escape\n"
               "\u2026 is a number from \u2026\n"
               "\u2026 is a time such as 2026-01-31T09:30:00.5Z\n"
               "a name holds no control character\n"
               "a body comes as it is, with its length\n"
               "a header is there twice\n"
               "the request could not be read\n"
               "the request line is too long\n"
               "the request is too long",
               "The request was not understood.", "A wrong path, method, parameter or header.",
               "correct the program's request: [the interface](monitor-api.md)"},
    MessageRow{"M123", Kind::Error,
               "`latency` or `counter` must name a history\n"
               "nothing is kept of a session '\u2026'\n"
               "there is no history of '\u2026'\n"
               "there is no session '\u2026'\n"
               "`clordid` must name an order\n"
               "id is SESSION/SEGMENT:OFFSET\n"
               "near is the id of a message\n"
               "names is 'once', or is not given",
               "The request was not understood, or names something that is not there.",
               "A parameter is missing or wrong.",
               "correct the program's request: [the interface](monitor-api.md); sessions have the "
               "names of the configuration"},
    MessageRow{"M124", Kind::Error, "there is no record at this place any more, or there never was",
               "The message cannot be shown.",
               "Its segment was removed by retention, or the address is old.", "search again"},
    MessageRow{"M125", Kind::Error,
               "this search is not known any more: begin again without the cursor",
               "The search cannot be continued.",
               "It was not continued for too long, or the monitor was restarted.",
               "search again, without the cursor"},
    MessageRow{"M126", Kind::Warning,
               "others are searching; try again\n"
               "it was not looked at yet",
               "The search waits.", "Others are searching.", "try again in a moment"},
    MessageRow{
        "M127", Kind::Error,
        "'\u2026' is not a name for an engine: NAME=CONFIG gives it one, of letters, digits, "
        "'-', '_' and '.'\n"
        "two engines are called '\u2026': NAME=CONFIG gives them other names\n"
        "--admin is NAME=ADDRESS:PORT, for there are several engines: '\u2026'\n"
        "--admin is given once for each engine\n"
        "--admin: there is no engine '\u2026'\n"
        "--directory is given once for all configurations, or once for each",
        "The monitor does not start.", "Names or options of several engines contradict each other.",
        "correct the options of a monitor of [several engines](monitor.md#several-engines)"},
    MessageRow{
        "M128", Kind::Error,
        "there are several engines: write the session as ENGINE:NAME\n"
        "`engine` must name one of the engines\n"
        "`engine` must name the engine of the sessions\n"
        "the session is another engine's\n"
        "there is no engine '\u2026'",
        "The request was not understood.",
        "There are several engines, and it names none or an unknown one.",
        "correct the request to a monitor of several engines: [the interface](monitor-api.md)"},
    MessageRow{"M129", Kind::Error, "this token does not change engine '\u2026'",
               "The action was refused.", "The token is another engine's.",
               "present the operate token of this engine"},
    MessageRow{"M130", Kind::Error, "the request could not be answered", "The request failed.",
               "The monitor lacks memory or file descriptors.",
               "check memory and file descriptors of the machine"},
    MessageRow{"M131", Kind::Error, "[ENGINE] of the configuration has no counters_file",
               "The engine's counters cannot be read.", "The key is missing.",
               "set `counters_file` in `[ENGINE]` of the engine's configuration"},
    MessageRow{"M132", Kind::Error, "\u2026 took too long and was ended",
               "The program of `--alert-command` was ended.", "It took longer than ten seconds.",
               "make the program of `--alert-command` end within ten seconds"},
};

}  // namespace

std::span<const MessageRow> monitor_messages() noexcept {
  return monitor_rows;
}

}  // namespace affix::inline v0::tools::explain
