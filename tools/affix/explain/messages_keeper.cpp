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
               "taken, or it is no TCP socket",
               "The named process continues, but some of its sockets would not outlive it.",
               "More sockets than `--connections`.", "raise `--connections`"},
};

}  // namespace

std::span<const MessageRow> keeper_messages() noexcept {
  return keeper_rows;
}

}  // namespace affix::inline v0::tools::explain
