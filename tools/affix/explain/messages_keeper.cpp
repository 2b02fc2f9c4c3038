// SPDX-License-Identifier: MIT
// The keeper of sockets, and its users. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array keeper_rows{
    MessageRow{"K101", Kind::Error,
               "'\u2026' is not a path of 1 to 107 bytes\n"
               "'\u2026' is not a name of 1 to 200 printable characters without ':'",
               "No keeper was opened.",
               "A path that is too long for a socket, or a name with other characters.",
               "shorten the path; name the instance with letters, digits and `-`"},
    MessageRow{"K102", Kind::Error,
               "NOTIFY_SOCKET is not set: no service manager has started this program",
               "Nothing is kept by systemd's descriptor store.",
               "The program was started by hand, or its unit is not `Type=notify`.",
               "start it as a unit with `Type=notify` and `FileDescriptorStoreMax`, or name the "
               "socket of `affix-keep`"},
    MessageRow{"K103", Kind::Error, "no keeper listens here", "Nothing is kept.",
               "`affix-keep` does not run, or has another `--socket`.",
               "start `affix-keep --socket` with this path"},
    MessageRow{"K104", Kind::Error,
               "the keeper runs as another user\n"
               "the keeper serves user \u2026 only\n"
               "affix-keep: process \u2026 is refused: it runs as user \u2026",
               "The keeper and the process do not work together.",
               "They run as different users; the superuser is another user, too.",
               "run both as the same user"},
    MessageRow{
        "K105", Kind::Error,
        "instance \u2026 is in use by process \u2026\n"
        "affix-keep: \u2026: process \u2026 is refused: in use by process \u2026",
        "The process was not given what is kept.",
        "Another process is the owner of these sockets, and lives.",
        "end the other process first, or start this one so that it waits for the other's end"},
    MessageRow{"K106", Kind::Error,
               "the keeper is of another version\n"
               "the keeper has version \u2026 of the protocol\n"
               "the keeper does not understand this process\n"
               "affix-keep: process \u2026 is refused: it has version \u2026 of the protocol\n"
               "affix-keep: process \u2026 is refused: it does not speak the protocol",
               "The connection to the keeper was closed.",
               "`affix-keep` and the program are of different versions, or something else connects "
               "to its socket.",
               "install the same version of both; restart `affix-keep` first"},
    MessageRow{"K107", Kind::Error,
               "the keeper has \u2026 connections, and no room for another\n"
               "no descriptors are left for what the keeper holds (RLIMIT_NOFILE)",
               "The process was not given what is kept.",
               "The keeper has more instances and waiting processes than it has places, or the "
               "process may open too few files.",
               "end what waits without need; raise `LimitNOFILE` of the process"},
    MessageRow{"K108", Kind::Error,
               "the keeper ended the connection\n"
               "the keeper does not answer",
               "Nothing is kept now.", "The keeper has ended, or is stopped.",
               "see why `affix-keep` ended; sessions continue meanwhile"},
    MessageRow{
        "K109", Kind::Error,
        "the keeper has waited \u2026 s for an answer of this process\n"
        "affix-keep: \u2026: process \u2026 was next in line and has not answered for \u2026 "
        "seconds: it is refused",
        "The process was given nothing; the next one in line goes on with the connections.",
        "A process that stood by hung, or was stopped.",
        "end it if it still runs, see what it waits for, and start another one"},
    MessageRow{"K201", Kind::Note,
               "\u2026: owned by process \u2026, which takes \u2026\n"
               "\u2026: process \u2026 has ended; \u2026 are kept for \u2026 seconds\n"
               "affix-keep: keeps up to \u2026 connections, on \u2026",
               "The keeper says what it does.", "A process started or ended.", "nothing"},
    MessageRow{"K202", Kind::Error, "other users may write to this directory",
               "The keeper does not start.",
               "Whoever may write to the directory could put a socket of his own in its place.",
               "use a directory of the user's own: `chmod go-w`, or `RuntimeDirectory` of a unit"},
    MessageRow{"K203", Kind::Error,
               "another keeper has this socket\n"
               "there is a file of this name",
               "The keeper does not start.",
               "Another keeper runs with this `--socket`, or the path is of another file.",
               "use the keeper that runs, or another path"},
    MessageRow{"K204", Kind::Warning,
               "affix-keep: RLIMIT_NOFILE leaves room for \u2026 connections only\n"
               "affix-keep: RLIMIT_NOFILE is \u2026, and \u2026 are needed",
               "The keeper holds fewer sockets than `--connections`, or does not start.",
               "The hard limit of open files is too low.",
               "set `LimitNOFILE` of the unit, or `ulimit -Hn`"},
    MessageRow{"K205", Kind::Warning, "\u2026: no owner came in time; \u2026 are closed",
               "The counterparties see a disconnect.",
               "The engine has ended, and none has continued within `--keep-seconds`.",
               "see why the engine has not started; raise `--keep-seconds` if it needs longer"},
    MessageRow{"K206", Kind::Error,
               "\u2026: no room for what process \u2026 wants to keep: all \u2026 places are "
               "taken, or it is neither a TCP socket nor a file",
               "The named process continues, but some of its sockets would not outlive it.",
               "More sockets than `--connections`.", "raise `--connections`"},
    MessageRow{"K301", Kind::Warning,
               "the connection of an earlier process is closed: \u2026\n"
               "the connection of an earlier process is closed: there is no session \u2026 that "
               "could continue it\n"
               "the connection of another node is closed: \u2026\n"
               "failover group \u2026: the connection of another node is closed: there is no "
               "session \u2026 that could continue it\n"
               "the table of connections cannot be read: \u2026\n"
               "the other node had output that has not left\n"
               "the journal has other numbers than the connection\n"
               "a logon, a logout or a reset was under way\n"
               "the connection ends within a resent message\n"
               "its row in the table of connections contradicts itself\n"
               "the journal has lower numbers than the connection\n"
               "bytes that were to be sent are not in the journal\n"
               "a message that was being sent is not in the journal as it was sent\n"
               "a message that was to be sent is not in the journal as it was sent\n"
               "the journal's records since the last send cannot be read\n"
               "the journal's records since the last send do not lead to its numbers\n"
               "the numbers were set or reset after the last send\n"
               "the kernel has more bytes than the journal\n"
               "the journal's last records do not reach the disk\n"
               "outside of the session's schedule\n"
               "the session is disabled\n"
               "it has ended\n"
               "its socket does not take the options of the session's group\n"
               "there is no room for it",
               "The counterparty sees a disconnect, and the session logs on again; no message is "
               "lost. The text says what did not fit.",
               "The earlier process, or the node that handed its failover group over, ended at a "
               "moment that cannot be continued, or its journal or configuration is another one.",
               "nothing, once in a while; if it was a planned upgrade, see "
               "[what is continued](../guide/keeper.md#what-is-continued)"},
    MessageRow{"K302", Kind::Note,
               "goes on with the connection of an earlier process, after a silence of \u2026 ms: "
               "\u2026 bytes were left to send, \u2026 session messages to answer; \u2026\n"
               "goes on with the connection of another node, after a silence of \u2026 ms: "
               "\u2026 bytes were left to send, \u2026 session messages to answer; \u2026",
               "The session continues without a Logon; the counterparty has seen a pause at most.",
               "The process that had the connection ended, and this one follows it; or a failover "
               "group was handed over to this node.",
               "nothing"},
    MessageRow{
        "K303", Kind::Note,
        "not kept, as they have TLS, no journal on the disk, or a failover group: \u2026",
        "The counterparties of these sessions see a disconnect when the program ends.",
        "A keeper is configured, and these sessions cannot be continued.",
        "nothing, or `durability=process` for those without TLS and without a failover group"},
    MessageRow{"K304", Kind::Warning,
               "the table of connections is full: further ones end with this process\n"
               "the keeper has no room for \u2026, which ends with this process",
               "Some connections would not outlive the process.",
               "More connections than sessions, or than the keeper has places.",
               "raise `--connections` of `affix-keep`"},
    MessageRow{"K305", Kind::Warning,
               "the keeper is gone: until it is back, connections end with this process",
               "Sessions continue; a restart of the engine would disconnect them.",
               "`affix-keep` has ended.", "see why `affix-keep` ended; its unit restarts it"},
    MessageRow{"K306", Kind::Error,
               "the keeper has another process as this engine: connections end with this process",
               "Nothing of this process is kept.",
               "Another process with the same `keeper_instance` came while the keeper was away.",
               "give each engine a `keeper_instance` of its own, and restart this one"},
    MessageRow{"K307", Kind::Note, "the keeper is back, and keeps the connections again",
               "Connections outlive the process again.", "`affix-keep` was restarted.", "nothing"},
    MessageRow{"K308", Kind::Error,
               "it is no table of connections\n"
               "another version of affix has written it\n"
               "it has fewer rows than it says",
               "The connections that the keeper holds are not continued; they are closed.",
               "An earlier or later version of the program ran before, or something else uses the "
               "keeper under this name.",
               "upgrade with the steps of the changelog's version; give each program a "
               "`keeper_instance` of its own"},
    MessageRow{
        "K309", Kind::Error,
        "key 'keeper' names no keeper for the connections meanwhile\n"
        "only with the socket of affix-keep in key 'keeper' can a process wait for another's "
        "end\n"
        "a keeper of connections is there on Linux only\n"
        "connections outlive a process on Linux only",
        "No process takes over.",
        "The configuration has no `keeper`, or another kind, or the system is not Linux.",
        "set `keeper` to the socket of `affix-keep`"},
    MessageRow{"K310", Kind::Error, "a hand-over is under way", "The request has no effect.",
               "An upgrade was begun twice.", "wait until the log says how it ended"},
    MessageRow{"K311", Kind::Note,
               "upgrade: \u2026 is started as process \u2026\n"
               "upgrade: hands over to process \u2026\n"
               "upgrade: leaves the connections to the next process\n"
               "upgrade: process \u2026 serves\n"
               "a new process is started; the log says when it serves\n"
               "waits in line behind process \u2026",
               "The steps of a planned upgrade.", "SIGUSR2, `upgrade`, or `--take-over`.",
               "nothing"},
    MessageRow{"K312", Kind::Error,
               "process \u2026 is of a version that reads another journal or table of connections: "
               "it is refused",
               "The running process goes on.",
               "The new version cannot read what this one would leave it.",
               "stop the old version in order and start the new one: the counterparties log on "
               "again"},
    MessageRow{"K313", Kind::Error,
               "upgrade: process \u2026 has ended before it could take over; this one goes on\n"
               "upgrade: process \u2026 has ended instead of serving\n"
               "upgrade: process \u2026 does not answer and is ended by SIGKILL\n"
               "upgrade: this process goes on itself",
               "The upgrade failed; the program that ran before serves the connections.",
               "The new version did not start: its standard error and the log say why.",
               "mend the new version or its configuration, and upgrade again"},
    MessageRow{"K314", Kind::Error,
               "not an absolute path\n"
               "not a program\n"
               "another user could change this program",
               "No program was started.", "An operator named a file that must not be run.",
               "name the installed program by its absolute path"},
    MessageRow{"K315", Kind::Error,
               "upgrade: process \u2026 was not ready to take over within \u2026 s and is ended "
               "by SIGKILL; this one goes on",
               "The upgrade failed; the running program serves the connections, and accepts the "
               "next upgrade.",
               "The new version hung while it began, or its dictionaries and journals take longer "
               "to read.",
               "see what the new version waits for; raise `upgrade_timeout_seconds` if it needs "
               "longer"},
};

}  // namespace

std::span<const MessageRow> keeper_messages() noexcept {
  return keeper_rows;
}

}  // namespace affix::inline v0::tools::explain
