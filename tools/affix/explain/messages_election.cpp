// SPDX-License-Identifier: MIT
// Elections of failover groups: members, the stores that they ask. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array election_rows{
    MessageRow{"R201", Kind::Error,
               "not an election entry: \u2026\n"
               "not an election entry: the file does not begin with a revision\n"
               "not an election entry: the file's revision is not a number",
               "The node does not change the entry, and is not promoted. A primary goes on.",
               "Something else writes to this key or file, or a later version of affix has "
               "written it.",
               "give affix a key or directory of its own; if the value is lost, remove it and "
               "promote the node that has the latest journals, with an acceptance of loss"},
    MessageRow{"R202", Kind::Warning,
               "the primary goes on alone: if it ends now, no node is promoted without an operator",
               "Trading continues on one machine.",
               "The standbys have ended, cannot be reached, or did not acknowledge in time; or "
               "this node was promoted just now.",
               "see why the standbys are not in sync; nothing, if they follow soon"},
    MessageRow{"R203", Kind::Note, "a standby is in sync again",
               "A standby has everything, and may be promoted.", "It has caught up.", "nothing"},
    MessageRow{"R204", Kind::Warning,
               "the hand-over was given up: this node goes on as the primary",
               "The sessions stay where they are.",
               "The standby did not get everything in time, left the in-sync set, or the election "
               "store could not be reached.",
               "hand over again when the standby is in sync and the store answers"},
    MessageRow{"R205", Kind::Error,
               "the election store's entry is missing or older than what this node has seen of it",
               "A primary goes on, but cannot leave a late standby behind; a standby is not "
               "promoted.",
               "Somebody has removed or overwritten the entry, or has restored the store from a "
               "backup.",
               "find the node with the latest journals, and promote it with an acceptance of loss; "
               "if a primary leads, that one"},
    MessageRow{"R206", Kind::Warning,
               "this node leads by an operator's word, perhaps without what counterparties have "
               "seen",
               "Sessions continue with this node's journals.",
               "An operator has promoted a node that was not in sync.",
               "compare numbers and orders with the counterparties"},
    MessageRow{"R207", Kind::Error,
               "this node is the primary\n"
               "this node is not the primary\n"
               "the group has no other node of this name",
               "The command has no effect.", "It was given to another node, or names another one.",
               "see which node leads, and give the command there"},
    MessageRow{
        "R208", Kind::Error,
        "the node is not in sync\n"
        "the node may have lost what it had\n"
        "the election store has no entry\n"
        "the election store's entry is older than this node's journals",
        "The node is not promoted: it may lack messages that counterparties have seen.",
        "It was out of sync when the primary ended, its machine lost power, or the store has "
        "lost its entry.",
        "start a node that is in sync; only if there is none, promote this one with an "
        "acceptance of loss"},
    MessageRow{"R209", Kind::Error,
               "the primary's lease may still run: let it hand over\n"
               "the primary is connected: let it hand over",
               "The node is not promoted.", "The primary lives.",
               "tell the primary to hand over to this node"},
    MessageRow{"R210", Kind::Error, "the election store does not answer",
               "The command has no effect.", "The store cannot be reached from this node.",
               "see why the store does not answer"},
    MessageRow{"R211", Kind::Error, "a promotion or a hand-over is under way",
               "The command has no effect.", "Another one was given before.",
               "wait for its end, and see which node leads then"},
    MessageRow{"R221", Kind::Error,
               "no endpoint of etcd is given\n"
               "an endpoint is written http://HOST:PORT or https://HOST:PORT\n"
               "some endpoints are http and some https\n"
               "the cluster's name is not 1 to 64 letters, digits, '-', '_' and '.'\n"
               "a certificate needs its key, and a key its certificate\n"
               "certificates are for https endpoints only",
               "The election store is not opened.", "Keys for etcd contradict each other.",
               "correct the setting that the message names"},
    MessageRow{
        "R223", Kind::Warning,
        "etcd cannot be asked: \u2026\n"
        "the connection was not accepted in time\n"
        "the TLS handshake failed: \u2026\n"
        "the TLS handshake was ended by the server\n"
        "TLS failed: \u2026\n"
        "the request was not taken in time\n"
        "there was no answer in time\n"
        "the connection was ended without an answer\n"
        "\u2026 is not of HTTP/1\n"
        "the answer is too long\n"
        "\u2026 ends before it is complete\n"
        "\u2026 changes the protocol\n"
        "\u2026 has a header line without a name\n"
        "\u2026 has more header lines than an answer has\n"
        "\u2026 has a Content-Length that is no number\n"
        "\u2026 has a Transfer-Encoding other than chunked\n"
        "\u2026 has a chunk without a size\n"
        "\u2026 has a chunk that is longer than it says\n"
        "the connection is being closed\n"
        "the election store is being closed",
        "The node asks again, also at the other endpoints. Trading continues as long as "
        "nothing else fails.",
        "This member of etcd has ended, is elected anew or overloaded, the network is cut, or "
        "certificates do not match.",
        "nothing if it passes within seconds; otherwise see the state of etcd and its log"},
    MessageRow{
        "R224", Kind::Warning, "etcd answered with the error \u2026", "The node asks again.",
        "etcd has no leader at present, or refuses the user.",
        "nothing if it passes within seconds; otherwise correct the user, the password or the "
        "user's rights to the keys below /affix/"},
    MessageRow{"R225", Kind::Error, "etcd's answer cannot be read: \u2026", "The node asks again.",
               "Something else than etcd listens there.", "correct the endpoints"},
};

}  // namespace

std::span<const MessageRow> election_messages() noexcept {
  return election_rows;
}

}  // namespace affix::inline v0::tools::explain
