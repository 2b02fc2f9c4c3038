// SPDX-License-Identifier: MIT
// Sessions: their events, and why they end. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array session_rows{
    MessageRow{"S101", Kind::Note,
               "logged on\n"
               "logged on, next outgoing \u2026, next incoming \u2026",
               "The session is established: both sides have accepted a Logon. The line has our "
               "next outgoing number and the next one that is expected of the peer.",
               "A Logon was sent and answered.", "nothing"},
    MessageRow{"S102", Kind::Error, "Logon refused",
               "We refused the peer's Logon, or an acceptor's answer to ours; the reason follows.",
               "Wrong credentials, a field with a value that is not allowed here (108, 141, 1137), "
               "or a decision of the application.",
               "for credentials: find out who sent it. For a field (108, 141, 1137): agree on it "
               "with the counterparty"},
    MessageRow{
        "S103", Kind::Error, "Logon rejected by the peer",
        "The peer answered our Logon with a Logout or another message; its number and text follow.",
        "The peer does not accept our password, CompIDs, version or sequence number.",
        "read its text; usually a password, a CompID, or a number that is too low"},
    MessageRow{"S104", Kind::Note, "Logout received",
               "The peer ends the session; its text follows.",
               "The peer's operator, schedule or application sent a Logout.",
               "nothing, if it was expected; otherwise read the peer's text"},
    MessageRow{"S105", Kind::Note, "Logout answered", "The peer answered our Logout.",
               "We had sent a Logout.", "nothing"},
    MessageRow{"S106", Kind::Warning, "Logout timed out",
               "The peer did not answer our Logout within `logout_timeout_seconds`, or did not "
               "disconnect after we answered its Logout.",
               "A slow or dead peer, or one that expects the other side to disconnect.",
               "nothing, if it happens once; if always, the peer needs another `logout_answer`"},
    MessageRow{"S107", Kind::Warning, "Logon timed out",
               "No complete Logon, or no answer to ours, arrived within `logon_timeout_seconds`.",
               "Another program listens on the port, a load balancer accepts for a host that is "
               "down, or the peer is overloaded.",
               "check whether another program listens on the port, or a load balancer accepts for "
               "a host that is down"},
    MessageRow{"S108", Kind::Note, "sequence numbers reset", "Both sequence numbers are 1.",
               "ResetSeqNumFlag (141=Y), a configuration key or a command.",
               "nothing, if a reset was agreed; otherwise find out which side asked for it"},
    MessageRow{"S109", Kind::Note, "sequence numbers set by hand",
               "A sequence number was set without a message of the session.",
               "An operator or the application set it, or the journal skipped reserved numbers "
               "after a power loss.",
               "nothing, if it was intended: the peer sees a gap and gets a gap fill"},
    MessageRow{"S110", Kind::Error, "sequence numbers exhausted, a reset is needed",
               "All numbers up to 2^63-1 are used except that of the Logout, which is sent. There "
               "is no further Logon before a reset.",
               "No session sends so many messages: somebody set the number.",
               "reset the numbers on both sides. No session sends so many messages: find out who "
               "set the number"},
    MessageRow{"S111", Kind::Warning, "reset abandoned",
               "A reset with `reset_start=IN_SYNC` was not made.",
               "It was not proved in time that neither side misses messages.",
               "nothing: affix tries again at the next occasion; `AT_ONCE` does not wait"},
    MessageRow{
        "S112", Kind::Error, "a stored message is larger than the peer accepts, and gap-filled",
        "A stored message was not sent again, and a gap fill took its place; MsgSeqNum and "
        "bytes follow.",
        "The message, with the fields that a resend adds, is larger than MaxMessageSize "
        "(383) of the peer's Logon.",
        "agree on a larger MaxMessageSize (383) with the counterparty, or send it the content by "
        "other means"},
    MessageRow{"S113", Kind::Error, "queued messages lost by a reset",
               "Messages that were numbered while the session was down will not reach the peer; "
               "their number follows, at most.",
               "Sequence numbers were reset before the peer requested them.",
               "send them again if they are still valid; do not reset sessions that queue. With "
               "`affix serve`: [what to do](serve.md#a-queue-that-a-reset-loses)"},
    MessageRow{"S114", Kind::Note, "TestRequest sent", "We sent a TestRequest.",
               "The peer has been silent for longer than HeartBtInt (108) and its grace.",
               "nothing: the peer's answer, or S116, follows"},
    MessageRow{"S115", Kind::Warning, "TestRequest unanswered",
               "Other messages arrived, but not the Heartbeat with our TestReqID (112).",
               "The peer does not repeat TestReqID, or answers late.",
               "if always: `test_answer=ANY_MESSAGE`"},
    MessageRow{"S116", Kind::Error, "peer is silent",
               "Nothing arrived after a TestRequest; we disconnected.",
               "The network, the peer's host or its process stopped. A pause of our own process "
               "(debugger, swap) looks the same.",
               "check the network and the peer's process; the session connects again by itself"},
    MessageRow{"S117", Kind::Warning, "MsgSeqNum too high",
               "Messages are missing; the expected and the received number follow.",
               "The peer sent messages while we were away, or they were lost.",
               "nothing: affix requests them"},
    MessageRow{"S118", Kind::Note, "resend requested",
               "We sent a ResendRequest; its first and last number follow (0: no end).",
               "Messages are missing.", "nothing: S121 reports that the gap is closed"},
    MessageRow{"S119", Kind::Error, "resend abandoned",
               "The gap is still open after `resend_attempts_max` requests; we logged out.",
               "The peer does not resend, or skips numbers without a gap fill.",
               "the peer does not resend: try `skipped_in_resend` or `max_resend_range`, or agree "
               "on a reset"},
    MessageRow{
        "S120", Kind::Error, "the same resend requested too often",
        "The peer requests the same range again and again; we logged out.",
        "The peer does not accept the resent messages, or sends a request with every message.",
        "it does not accept the resent messages: look for its Rejects. Some peers send a request "
        "with every message: `resend_repeats_max=0`"},
    MessageRow{"S121", Kind::Note, "gap closed", "No message is missing any more.",
               "The peer resent the missing messages or sent a gap fill.", "nothing"},
    MessageRow{"S122", Kind::Warning, "message ahead of a gap dropped",
               "A message that arrived before the gap was closed was dropped.",
               "The buffer for such messages is full.", "nothing: the message will be requested"},
    MessageRow{"S123", Kind::Note, "replay started",
               "We begin to resend the messages that the peer requested.",
               "The peer sent a ResendRequest.", "nothing"},
    MessageRow{"S124", Kind::Note, "replay ended", "All requested messages have been resent.",
               "The peer sent a ResendRequest.", "nothing"},
    MessageRow{"S125", Kind::Note, "SequenceReset received",
               "The peer changed its next number; the old and the new one follow.",
               "A gap fill in answer to our request, or a SequenceReset by the peer's operator.",
               "if it came without a request of ours and without 123=Y, messages are lost: ask the "
               "counterparty"},
    MessageRow{
        "S126", Kind::Warning, "SequenceReset without effect",
        "A SequenceReset named the number that was next anyway.", "The peer sent it without need.",
        "nothing, if it happens once; otherwise ask the counterparty why its engine sends it"},
    MessageRow{"S127", Kind::Warning, "garbled message ignored",
               "A message was ignored since its framing, BodyLength or CheckSum is wrong; the "
               "defect follows.",
               "The peer's encoder is wrong: TCP protects against damage in transit.",
               "correct the peer's encoder: see the [table of "
               "defects](errors.md#what-is-wrong-with-bytes)"},
    MessageRow{"S128", Kind::Error,
               "message beyond a limit of ours\n"
               "message beyond a limit of ours: \u2026, more than \u2026 bytes of a message; "
               "max_message_bytes allows more\n"
               "message beyond a limit of ours: \u2026, more than \u2026 fields of a message; the "
               "peer must send fewer in one\n"
               "it is beyond a limit of ours",
               "A complete message is larger than `max_message_bytes`, or has more than 2048 "
               "fields; the limit follows. We answered with a Reject, which consumes the message's "
               "number, or with a Logout if it has no number.",
               "The peer sends larger messages than this session takes.",
               "`max_message_bytes` allows more bytes. The number of fields is fixed: the peer "
               "must send fewer group entries per message"},
    MessageRow{"S129", Kind::Error, "first message is not a Logon", "The connection was closed.",
               "A port scanner, or a peer that uses the connection as an old one.",
               "nothing, if it is a scanner; otherwise the peer must begin with a Logon"},
    MessageRow{"S130", Kind::Error, "MsgSeqNum too low",
               "A number was received before, without 43=Y; we logged out.",
               "The peer lost its store, or our journal belongs to another session.",
               "agree on a reset with the counterparty: [the numbers do not "
               "fit](../guide/operations.md#the-numbers-do-not-fit)"},
    MessageRow{"S131", Kind::Error, "MsgSeqNum invalid",
               "MsgSeqNum (34) is missing, 0 or not a number; we logged out.",
               "A fault of the peer's engine.", "the peer must correct it"},
    MessageRow{"S132", Kind::Note, "possible duplicate ignored",
               "A message with 43=Y and a number below the expected one was ignored.",
               "The peer resent more than was requested.", "nothing"},
    MessageRow{"S133", Kind::Note, "resent session message ignored",
               "A message with 43=Y was ignored, as its type must not be resent.",
               "The peer resent a session message in place of a gap fill.", "nothing"},
    MessageRow{"S134", Kind::Error,
               "BeginString wrong\n"
               "this session has \u2026",
               "BeginString (8) is not that of this session; its value and the session's follow. "
               "We logged out.",
               "The two sides are configured for different versions of FIX.",
               "correct `begin_string`"},
    MessageRow{"S135", Kind::Error,
               "CompID wrong\n"
               "this session has \u2026",
               "49, 56, 115 or 128 is not that of this session, or 49 or 56 is missing in a Logon; "
               "the field, its value and the session's follow.",
               "The CompIDs of the two sides are configured differently.",
               "correct `sender_comp_id`, `target_comp_id` and the like"},
    MessageRow{"S136", Kind::Warning, "SendingTime wrong",
               "SendingTime (52) differs from our clock by more than "
               "`max_allowed_message_age_seconds`, or is not a UTC time.",
               "A clock is wrong, the peer sends local time, or messages waited for long.",
               "synchronise the clocks of both sides by NTP or PTP"},
    MessageRow{"S137", Kind::Warning, "message rejected",
               "We sent a Reject (35=3) for a message; reason and field follow.",
               "The message breaks a rule of the dictionary or of the session.",
               "correct the message at the peer: see the [table of "
               "reasons](errors.md#reasons-of-rejects-373)"},
    MessageRow{"S138", Kind::Warning, "message rejected on the business level",
               "We sent a BusinessMessageReject (35=j).",
               "The application does not support the message, or a conditionally required field is "
               "missing.",
               "tell the counterparty which message it was; correct the message or support it"},
    MessageRow{"S139", Kind::Warning, "message delivered with a warning",
               "A message was delivered although it breaks a validation rule.",
               "The rule is set to WARN.", "tell the counterparty, or switch the rule off"},
    MessageRow{
        "S140", Kind::Warning, "Reject received",
        "The peer rejected a message of ours; its number, the field and the peer's text follow.",
        "Our message breaks a rule of the peer.",
        "find our message under that number with `affix log`"},
    MessageRow{"S141", Kind::Warning, "unexpected Logon",
               "A Logon without 141=Y came in mid-session.",
               "The peer started a new session on the same connection.",
               "correct the peer: a new session needs a new connection, or 141=Y"},
    MessageRow{"S142", Kind::Warning, "more messages than throttle_limit allows",
               "The peer sent more messages than `throttle_limit` allows.",
               "The peer is faster than agreed, or resends a lot.",
               "agree on a rate, or raise `throttle_limit`; `throttle_action` decides what happens "
               "to such messages"},
    MessageRow{"S143", Kind::Warning, "message after Logout ignored",
               "A message arrived after a Logout and was ignored.",
               "Messages of both sides crossed.",
               "nothing: the peer resends it after the next logon"},
    MessageRow{"S144", Kind::Note, "message after the end ignored",
               "A message arrived after the end of the connection was decided.",
               "Messages of both sides crossed.", "nothing"},
    MessageRow{
        "S145", Kind::Warning, "fields of the application left out",
        "The application's fields of a session message were not sent; the message's type follows.",
        "The fields of `before_admin_send()` are invalid or longer than 1 KiB.",
        "shorten them: at most 1 KiB"},
    MessageRow{"S146", Kind::Error, "message left out",
               "A message of ours was not sent; its type follows.",
               "It does not fit into the output buffer.", "increase `tx_encode_buffer_capacity`"},
    MessageRow{
        "S152", Kind::Note,
        "still logged on, from an earlier process\n"
        "still logged on, from an earlier process, next outgoing \u2026, next incoming \u2026",
        "The session is established on the connection of an earlier process, without a Logon.",
        "That process ended, and a keeper had its connection.", "nothing"},
    MessageRow{"S201", Kind::Note, "logout complete",
               "The connection ended after both sides sent a Logout.", "An orderly end.",
               "nothing"},
    MessageRow{"S202", Kind::Error, "sequence numbers exhausted",
               "The session ended, and there is no further Logon before a reset.", "See S110.",
               "reset the numbers on both sides, and find out who set the number"},
    MessageRow{"S203", Kind::Warning, "identity unknown",
               "The connection was closed without an answer.",
               "The first message belongs to no session here, or to one that is connected.",
               "compare 8, 49 and 56 of both sides"},
    MessageRow{"S204", Kind::Error, "the peer sent more messages than allowed", "We disconnected.",
               "The peer sent more messages than `throttle_limit` allows, and "
               "`throttle_action=DISCONNECT`.",
               "agree on a rate, or raise `throttle_limit`"},
    MessageRow{"S205", Kind::Error, "fault of the peer", "We ended the connection.",
               "A fault of the peer, which the preceding line of the log names.",
               "see the preceding line of the log and its code"},
    MessageRow{
        "S206", Kind::Note, "connected: \u2026",
        "A connection of the session was made; the line names both sides and the peer's address.",
        "The peer connected, or we did.", "nothing"},
    MessageRow{"S301", Kind::Warning,
               "\u2026 received messages are not dealt with, and the journal is kept from segment "
               "\u2026 on",
               "The journal keeps segments that it would remove or archive.",
               "The application keeps messages that it has not finished.",
               "make the application finish the messages that it keeps "
               "([later](application.md#messages-dealt-with-later)), or make its callback thread "
               "faster: the engine removes or archives no segment from there on"},
    MessageRow{"S302", Kind::Error,
               "session \u2026: the journal has no room\n"
               "the journal has no room\n"
               "the journal does not take the epoch's record\n"
               "the journal did not take a record, so the session is down until it does",
               "The session is down until its journal takes records.",
               "The disk is full or failed.",
               "free space on the journal's disk; the session comes up by itself: [the disk is "
               "full](../guide/operations.md#the-disk-is-full)"},
    MessageRow{"S303", Kind::Error, "the peer does not read: output waited longer than allowed",
               "We disconnected.",
               "The peer does not read: output waited for longer than `output_timeout_seconds`.",
               "ask the counterparty whether its engine reads"},
    MessageRow{
        "S304", Kind::Error,
        "a stored message cannot be read and is gap-filled\n"
        "a stored message that the application has not had cannot be read\n"
        "a stored message could not be encoded again\n"
        "a session message could not be encoded\n"
        "the Logon could not be encoded",
        "A message was not sent or not delivered.",
        "The journal is damaged, or a message does not fit into `tx_encode_buffer_capacity`.",
        "run `affix journal verify`; raise `tx_encode_buffer_capacity`, if the journal is sound"},
    MessageRow{"S305", Kind::Note,
               "the session is removed\n"
               "the session goes, and its logout was not complete in time\n"
               "the session's settings change\n"
               "the session's window has ended\n"
               "disconnected by an operator\n"
               "ended before the logon was complete\n"
               "reset on disconnect, by the process's end\n"
               "reset at the start of the session's window\n"
               "theirs reset\n"
               "set by hand",
               "The session ended for the reason that the text names.",
               "The configuration, the application or an operator caused it.",
               "nothing, if it was intended; otherwise find out from the text who ended it"},
    MessageRow{
        "S306", Kind::Warning, "\u2026 messages delivered with a warning: \u2026",
        "So many messages broke one validation rule and were delivered.",
        "The rule is set to WARN.",
        "see the [validation rules](configuration.md#validation-rules) that are set to WARN"},
    MessageRow{"S307", Kind::Warning, "\u2026 more within a second: \u2026",
               "So many more events of the named kind happened within a second; at most ten are "
               "logged each.",
               "A peer repeats the same fault.", "see the code of the named event"},
};

}  // namespace

std::span<const MessageRow> session_messages() noexcept {
  return session_rows;
}

}  // namespace affix::inline v0::tools::explain
