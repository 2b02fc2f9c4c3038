// SPDX-License-Identifier: MIT
// Connections: how they end, fail and are turned away. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array network_rows{
    MessageRow{"N101", Kind::Warning, "closed by the peer", "The stream ended without a Logout.",
               "The peer's program or operator closed the connection.",
               "find out why the peer left without a Logout, if it happens often"},
    MessageRow{"N102", Kind::Warning, "reset by the peer",
               "The connection was reset without a Logout.",
               "The peer's process died, or a device between closed the connection.",
               "check the peer's process, and time-outs of firewalls between"},
    MessageRow{"N103", Kind::Warning, "the peer does not answer",
               "The connection ended: TCP timed out.", "The network or the peer's host is down.",
               "check the network path and the peer's host"},
    MessageRow{
        "N104", Kind::Error, "more input than the receive buffer holds and none of it consumed",
        "The connection was closed: the receive buffer is full, and none of it could be consumed.",
        "A message longer than the buffer, or data that is not FIX.",
        "raise `rx_buffer_capacity` and `max_message_bytes`, if the peer's messages are so long"},
    MessageRow{"N105", Kind::Note, "closed in order",
               "We closed the connection, and all output was sent.", "An orderly end.", "nothing"},
    MessageRow{"N106", Kind::Warning, "closed with output that the peer did not take in time",
               "We closed the connection, and some output was not sent.", "The peer does not read.",
               "ask the counterparty; `output_timeout_seconds` is the limit"},
    MessageRow{"N107", Kind::Warning, "ended by the peer without TLS's close_notify",
               "The TLS connection ended without close_notify.",
               "The connection was cut, or the peer never sends it.",
               "nothing, if a Logout came before; otherwise check the peer and the network"},
    MessageRow{"N108", Kind::Error, "TLS failed", "A TLS error ended the connection.",
               "The log's TLS line has the reason.",
               "see the TLS line before; its code (T2xx) says what to do"},
    MessageRow{"N109", Kind::Error, "system fault", "A failed system call ended the connection.",
               "The system's error text is beside it.",
               "act on the system's error text; `man 2 NAME` describes a call"},
    MessageRow{"N110", Kind::Warning, "connection refused",
               "An attempt to connect failed; the address and the system's error follow.",
               "No program listens at the address.",
               "check host and port of `primary_address`, and whether the peer's engine runs; the "
               "session tries again by itself"},
    MessageRow{"N111", Kind::Warning, "timed out",
               "An attempt to connect got no answer; the address follows.",
               "A firewall drops the packets, or the host is down.",
               "ask for the firewall rule; `connect_timeout_milliseconds` is the limit"},
    MessageRow{"N112", Kind::Warning, "unreachable",
               "There is no route to the address, which follows.",
               "The network is not up, or the address is wrong.",
               "check address, interface and routes (`ip route get ADDRESS`)"},
    MessageRow{"N113", Kind::Error, "the limit of connections is met",
               "Connections are not accepted for now.",
               "As many connections are open as the reactor's limit allows.",
               "raise `max_connections_before_logon`, or find out who opens so many connections"},
    MessageRow{"N114", Kind::Error, "no file descriptor is left",
               "Connections are not accepted for now.",
               "The process has as many files and connections open as it may.",
               "raise `LimitNOFILE` of the service, or `ulimit -n`"},
    MessageRow{
        "N115", Kind::Error,
        "a connection was closed, as the file descriptors that are left are kept for journals",
        "A connection was closed at once; the one that has waited longest without a Logon is "
        "closed for the next.",
        "The process has nearly as many files open as it may.",
        "raise `LimitNOFILE` of the service, or `ulimit -n`"},
    MessageRow{"N116", Kind::Error, "the system has no memory for another connection",
               "Connections are not accepted for now.", "The kernel has no memory for a socket.",
               "free memory of the machine, or lower buffer sizes (`tx_kernel_buffer_capacity`, "
               "`rx_kernel_buffer_capacity`)"},
    MessageRow{"N201", Kind::Warning,
               "its address is not in allowed_addresses\n"
               "its address is not in allowed_peer_addresses of session \u2026",
               "The connection was closed.", "Its address is not in the list.",
               "add the address if it is a counterparty's"},
    MessageRow{"N202", Kind::Warning,
               "too many connections from its address\n"
               "too many connections from its address that have not logged on\n"
               "too many connections that have not logged on",
               "The connection was closed.",
               "Too many connections from one address, or without a Logon.",
               "find out why the peer connects in a loop, or raise the limits"},
    MessageRow{"N203", Kind::Warning,
               "a PROXY header, and its address is not in proxy_protocol_addresses\n"
               "the PROXY header is too short for its addresses\n"
               "the PROXY header's additions do not fit it\n"
               "the first bytes are not a PROXY header of version 2\n"
               "a PROXY header of another version than 2\n"
               "a PROXY header with a command that there is not\n"
               "a PROXY header that is too long\n"
               "a PROXY header for something else than TCP\n"
               "\u2026 by way of \u2026",
               "The connection was closed.", "Its PROXY header is unexpected or malformed.",
               "list the proxy in `proxy_protocol_addresses` and let it send a header of version 2 "
               "(HAProxy: `send-proxy-v2`), or neither: [addresses](configuration.md#addresses)"},
    MessageRow{"N204", Kind::Warning,
               "the first bytes are not a Logon\n"
               "no Logon in time",
               "The connection was closed.", "It sent something else than a Logon, or nothing.",
               "nothing, if it is a port scanner or a health check"},
    MessageRow{
        "N205", Kind::Warning,
        "the first message is not a Logon for a session of ours: \u2026; a session begins with "
        "35=A\n"
        "the first message is not a Logon for a session of ours: \u2026; it is garbled: \u2026",
        "The connection was closed.", "The first message is not a Logon, or is garbled.",
        "check the peer: it uses the connection as an old one, or is not a FIX engine; the line "
        "has its 35, 8, 49, 56"},
    MessageRow{
        "N206", Kind::Warning,
        "the first message is not a Logon for a session of ours: \u2026; this pair of CompIDs "
        "has 8=\u2026\n"
        "49 and 56 are the other way round\n"
        "sessions of this 56 have 49=\u2026\n"
        "this 49 has 56=\u2026\n"
        "sessions of this port have 56=\u2026\n"
        "this port has no session\n"
        "\u2026; templates of this port are for \u2026",
        "The connection was closed; the line shows the Logon and the most similar session.",
        "No session here has the version and ids of the Logon.",
        "configure the session, or correct the ids of one side"},
    MessageRow{
        "N208", Kind::Warning,
        "a second connection for a session that has one\n"
        "a second connection for a session whose first one lives\n"
        "the connection there was is dead; the peer's new one takes its place\n"
        "the peer did not answer, and has connected again\n"
        "the peer connected again before it closed",
        "One of two connections was closed; `second_logon` decides which.",
        "The peer connected while its first connection was there, often after a broken network.",
        "nothing, if it happens after a break of the network; otherwise see `second_logon` in "
        "[configuration](configuration.md)"},
    MessageRow{"N209", Kind::Warning,
               "the worker of its session has too many connections to take\n"
               "the application is behind with earlier messages",
               "The connection was closed.", "The engine is overloaded for the moment.",
               "nothing, if it happens once: the peer tries again. Otherwise the engine is "
               "overloaded: use more workers"},
    MessageRow{"N210", Kind::Warning,
               "the session is disabled \u2026\n"
               "the session is going\n"
               "its session is gone\n"
               "its template is gone\n"
               "the engine is stopping\n"
               "outside of the session's schedule",
               "The connection was closed; the text is the reason.",
               "The session is disabled, removed, or out of its schedule.",
               "nothing, or enable the session: the text is the reason"},
    MessageRow{"N211", Kind::Warning,
               "the template [\u2026] has template_sessions_max sessions\n"
               "the template [\u2026] has had sessions of too many peers\n"
               "no session can be made for it: \u2026",
               "The connection was closed.",
               "The template cannot make another session, or the settings do not allow it.",
               "raise `template_sessions_max`, or remove sessions that are no longer used: "
               "[templates](configuration.md#acceptor-templates)"},
    MessageRow{"N212", Kind::Warning,
               "\u2026 more connections were refused within a second, not logged one by one",
               "More connections were turned away than are logged; their number follows.",
               "More than twenty were turned away within a second.",
               "see the lines before: they name the reasons"},
};

}  // namespace

std::span<const MessageRow> network_messages() noexcept {
  return network_rows;
}

}  // namespace affix::inline v0::tools::explain
