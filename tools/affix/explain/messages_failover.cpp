// SPDX-License-Identifier: MIT
// Failover as operators meet it: programs of a change of role, commands. Rows of the table of
// messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array failover_rows{
    MessageRow{"R301", Kind::Note,
               "failover group \u2026: \u2026 (epoch \u2026) is started as process \u2026\n"
               "failover group \u2026: \u2026 (epoch \u2026) has ended in order after \u2026 ms",
               "`promote_program` or `demote_program` runs.", "The node's role has changed.",
               "nothing"},
    MessageRow{
        "R302", Kind::Error,
        "failover group \u2026: \u2026 (epoch \u2026) cannot be started: \u2026\n"
        "failover group \u2026: \u2026 (epoch \u2026) has ended with status \u2026 after \u2026 "
        "ms\n"
        "failover group \u2026: \u2026 (epoch \u2026) was ended by signal \u2026 after \u2026 ms\n"
        "failover group \u2026: \u2026 (epoch \u2026) has ended, and nobody knows how after \u2026 "
        "ms\n"
        "failover group \u2026: \u2026 (epoch \u2026) did not end in time and was killed after "
        "\u2026 ms\n"
        "programs of changes of role: \u2026",
        "`promote_program` or `demote_program` has not done its work. The node's role is what "
        "it is.",
        "The program is missing, fails, or takes longer than 10 s.",
        "correct the program; do by hand what it should have done, such as moving an address"},
    MessageRow{"R303", Kind::Note,
               "this node tries to lead the group: get_replication shows what becomes of it\n"
               "the group is being handed over: get_replication shows what becomes of it",
               "A change of the primary has begun.", "An operator asked for it.",
               "look at `get_replication`, or at `affix cluster`"},
    MessageRow{"R304", Kind::Error,
               "no node that answers leads failover group \u2026\n"
               "no node that answers has a failover group \u2026\n"
               "no node '\u2026' that answers has failover group \u2026\n"
               "no node '\u2026' answers, or it has no failover group",
               "Nothing was changed.",
               "A name is wrong, a node is down, or the group has no primary.",
               "`affix cluster` shows the names; why nobody leads is in its last column"},
    MessageRow{"R305", Kind::Error, "node \u2026 refuses: \u2026", "The primary goes on.",
               "The text has its reason.", "see the code in the text"},
    MessageRow{"R306", Kind::Warning,
               "the hand-over of \u2026 has not happened in time: see affix cluster",
               "The hand-over may still come, or was given up by the primary.",
               "The other node is behind, or the election store is slow.",
               "look at `affix cluster`, and for R204 in the primary's log"},
    MessageRow{"R307", Kind::Error,
               "neither --config nor --nodes says where the nodes' administration "
               "ports are\n"
               "the configuration is of no cluster: key 'node_addresses' is empty\n"
               "key 'management_server_port' names no port that the nodes could "
               "have in common: give --nodes\n"
               "the nodes are on one machine, with a port each: give --nodes\n"
               "a token is given as file:PATH or env:NAME\n"
               "the variable of the token is not set",
               "No node was asked.", "An option is missing or wrong.",
               "give `--nodes HOST:PORT,...` and, beyond loopback, `--token` and `--tls-ca`"},
    MessageRow{"R308", Kind::Error,
               "the variable is not set\n"
               "key 'election_password': \u2026",
               "The program did not start.", "The password of etcd's user cannot be read.",
               "correct `election_password`, or the permissions of its file"},
};

}  // namespace

std::span<const MessageRow> failover_messages() noexcept {
  return failover_rows;
}

}  // namespace affix::inline v0::tools::explain
