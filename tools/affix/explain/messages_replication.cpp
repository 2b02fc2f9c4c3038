// SPDX-License-Identifier: MIT
// Copies of journals on other machines. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array replication_rows{
    MessageRow{"R101", Kind::Error, "the nodes have different versions of the protocol",
               "No copy is kept between these two nodes.",
               "The nodes run versions of affix whose replication differs.",
               "install the same version on all nodes of the cluster"},
    MessageRow{"R102", Kind::Error,
               "the nodes are of different clusters\n"
               "another node has this address",
               "No copy is kept between these two nodes.",
               "`cluster`, `node` or `node_addresses` differ between the nodes' configurations.",
               "give all nodes the same `cluster` and `node_addresses`, and each its own `node`"},
    MessageRow{
        "R103", Kind::Warning, "the other node does not follow this group",
        "The primary tries again.",
        "The other node has not yet heard who leads, has no such group in its configuration, "
        "or is leaving it.",
        "nothing, if it passes; otherwise compare the nodes' `failover_group` and "
        "`replication_nodes`"},
    MessageRow{"R104", Kind::Warning, "the other node knows a higher epoch: this one leads no more",
               "This node closes the sessions of the group at once.",
               "Another node was made primary while this one was paused or cut off.",
               "nothing; `affix cluster` shows which node leads now"},
    MessageRow{"R105", Kind::Error, "the nodes have different numbers of workers",
               "No copy is kept between these two nodes.",
               "Connections of a primary with two configurations are mixed.",
               "nothing, if it passes; otherwise restart the primary"},
    MessageRow{"R106", Kind::Error, "the other node has no room for a connection",
               "The primary tries again.", "The other node has too many connections.",
               "see what else connects to its node address"},
    MessageRow{"R107", Kind::Warning, "the other node cannot keep its copies up at present",
               "The primary goes on without it and tries again.",
               "A disk of the other node is full or failed: its log says which.",
               "mend the other node's disk"},
    MessageRow{"R111", Kind::Note,
               "the other node left in order\n"
               "a newer connection took its place",
               "The connection is made again, if the other node goes on.",
               "The other node ends, hands the group over, or has connected anew.", "nothing"},
    MessageRow{"R112", Kind::Warning, "the standby did not take in time what was sent",
               "The standby begins again from history.",
               "The standby or the network between the nodes was too slow for the primary's "
               "messages.",
               "give the standby a machine and a network as fast as the primary's"},
    MessageRow{"R113", Kind::Error,
               "the standby's disk is full\n"
               "the disk of the copies is full: \u2026",
               "The standby leaves the in-sync set and tries again.",
               "The file system of the copies has no space left.", "make room on that file system"},
    MessageRow{"R114", Kind::Warning,
               "bytes of a copy were damaged\n"
               "the copy does not continue what the primary sends",
               "The standby begins again from history.",
               "Bytes changed on their way or on the disk, or the copy is of another journal.",
               "nothing, once; otherwise check the standby's disk and memory"},
    MessageRow{"R115", Kind::Error, "the protocol was broken", "The connection is made again.",
               "Something else than affix is connected, or the nodes are of versions that differ.",
               "see what has the address; install the same version on all nodes"},
    MessageRow{"R116", Kind::Error,
               "the standby's disk failed\n"
               "the disk failed",
               "The standby leaves the in-sync set and tries again.",
               "A write, a flush or a page of a copy's file failed.", "mend the standby's disk"},
    MessageRow{"R121", Kind::Error, "names of clusters, nodes and groups have 1 to 64 bytes",
               "Replication does not start.", "A name is empty or too long.", "shorten the name"},
    MessageRow{"R122", Kind::Error, "a group has 16 standbys at most",
               "Replication does not start.", "A group names more nodes than can follow it.",
               "name fewer nodes"},
    MessageRow{
        "R123", Kind::Error, "an option of replication is out of range",
        "Replication does not start.",
        "A time is not positive, the backlog is not of 256 KiB to 1 GiB, or a buffer is less "
        "than 64 KiB.",
        "correct the option"},
    MessageRow{
        "R131", Kind::Error, "no session here has this journal: \u2026",
        "That journal has no copy here: after a failover to this node the session is missing.",
        "The primary has a session that this node's configuration lacks.",
        "add the session to this node's configuration"},
    MessageRow{"R132", Kind::Error, "the primary cannot read its journal \u2026",
               "That copy is not brought up to date, and tried again.",
               "The primary's file is damaged or cannot be read.",
               "run `affix journal verify` on the primary"},
    MessageRow{"R133", Kind::Error, "a copy is tried again: \u2026",
               "The copy named before cannot be opened or begun, and is tried again.",
               "The text says what the disk or the copy refused.", "as the text says"},
};

}  // namespace

std::span<const MessageRow> replication_messages() noexcept {
  return replication_rows;
}

}  // namespace affix::inline v0::tools::explain
