// SPDX-License-Identifier: MIT
// Load generator, floor, demo and doctor. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array load_rows{
    MessageRow{"L101", Kind::Error,
               "affix-lab bench load: \u2026\n"
               "affix-lab bench server: \u2026\n"
               "affix-lab bench floor: \u2026\n"
               "no directory for journals can be made; name one with --journal",
               "`affix-lab bench` could not run.", "A wrong option.",
               "correct [the options](bench.md)"},
    MessageRow{"L102", Kind::Error,
               "BeginString, CompIDs and MsgType are texts, not empty\n"
               "an order needs more fields than 11 and 60\n"
               "the order's fields \u2026\n"
               "\u2026 is not `tag=value`, fields with bars between\n"
               "credentials hold no SOH\n"
               "several sessions need `{}` in --sender or --target-comp-id, for their numbers\n"
               "\u2026 has no sessions that could be resumed: no storm, no hostile peers\n"
               "several are for sessions, without a storm and hostile peers\n"
               "\u2026 how many, or --seconds, how long\n"
               "\u2026 and --answer-timeout are more than 0 seconds\n"
               "\u2026 and --next-target-seq are 1 or more\n"
               "0 (no pace) to 1000000000 a second\n"
               "1 to 100000, hostile peers included\n"
               "1 to the window\n"
               "a power of two up to 1048576",
               "`affix-lab bench` could not run.", "An option's value is out of range.",
               "correct the option's value"},
    MessageRow{"L103", Kind::Error,
               "\u2026 sessions logged on in time\u2026\n"
               "logged out by the server\n"
               "the server has been silent for three heartbeat intervals",
               "The load could not be made.", "The acceptor refused or ended sessions.",
               "check whether the acceptor runs at the address, then its sessions, limits and log"},
    MessageRow{"L104", Kind::Error,
               "affix doctor: \u2026: is not a directory\n"
               "affix doctor: this system's settings are not known; --root reads a Linux machine's "
               "files",
               "`affix doctor` could not run.",
               "`--root` is not a directory, or the machine is none of Linux.",
               "set `--root` to the directory that stands for a machine's root"},
    MessageRow{"L105", Kind::Warning,
               "\u2026 reports of the sessions that ask for them again did not come",
               "Resends did not come.",
               "The acceptor answered none of the orders of `--resending`.",
               "check the acceptor: it answered none of the orders of `--resending` for "
               "`--answer-timeout`"},
    MessageRow{"L106", Kind::Error,
               "affix-lab bench floor: no room in \u2026 for the bytes of a connection",
               "The connection was closed.",
               "The store is full, or a connection has sent and received 16 GiB.",
               "free space in the directory of `--store`"},
    MessageRow{"L107", Kind::Error,
               "no such process\n"
               "not in the form that Linux gives it",
               "The server's process cannot be measured.", "It ended, or is on another machine.",
               "set `--server-pid` to a process of this machine"},
    MessageRow{"L108", Kind::Error,
               "the exchange did not start; see \u2026\n"
               "the exchange did not end in order; see \u2026\n"
               "orders and reports disagree\n"
               "books and market data disagree",
               "`affix-lab demo` failed.",
               "The named log has the reason. A disagreement is a fault of affix.",
               "read the named log; report a disagreement, please, with the journals"},
    MessageRow{
        "L109", Kind::Error,
        "the program \u2026 is not installed; as root: apt-get install \u2026\n"
        "etcd did not start; see \u2026\n"
        "node \u2026 did not start; see \u2026\n"
        "the nodes did not come in sync; see \u2026\n"
        "a process did not end in order; see \u2026\n"
        "--kill-after and --return-after together are at most --duration\n"
        "lost: \u2026 messages of \u2026 requests and \u2026 reports; \u2026 requests without an "
        "answer, \u2026 other differences",
        "`affix-lab demo --failover` failed.",
        "A program is missing, or the named log has the reason. A loss is a fault of affix, "
        "unless etcd ended too, or the machine was so busy that the nodes were not in sync.",
        "install the program, or read the named log; report a loss, please, with the journals"},
};

}  // namespace

std::span<const MessageRow> load_messages() noexcept {
  return load_rows;
}

}  // namespace affix::inline v0::tools::explain
