// SPDX-License-Identifier: MIT
// Events of a session's life and faults of its peer, as values with texts.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstdint>

namespace affix::inline v0::session {

/// For logs, counters and the application; a report requires no action. A report about a message
/// includes its MsgType; "tag" is 0 if none is named.
enum class Event : std::uint8_t {
  // Life of the session.
  LoggedOn,        ///< numbers: next outgoing, next expected.
  Continued,       ///< On the connection of an earlier process; numbers as for LoggedOn.
  LogonRefused,    ///< We refused their Logon; numbers: its MsgSeqNum, tag; text: the reason.
  LogonRejected,   ///< They answered our Logon with another message; text: its Text (58).
  LogoutReceived,  ///< text: its Text (58).
  LogoutAnswered,  ///< They answered our Logout.
  LogoutTimeout,   ///< They did not answer our Logout in time.
  LogonTimeout,
  NumbersReset,      ///< By ResetSeqNumFlag (141), an option or a command.
  NumbersSet,        ///< Manually.
  NumbersExhausted,  ///< Only the Logout's number is left; number: the next one. The session ends
                     ///< and needs a reset.
  ResetAbandoned,    ///< A reset waited for proof that nothing is missing, in vain.
  QueuedLost,        ///< Queued messages were not sent before their numbers became unreachable;
                     ///< number: how many, at most.
  TestRequestSent,
  TestUnanswered,  ///< Received other messages, but not the matching Heartbeat.
  PeerSilent,      ///< Received nothing after a TestRequest; disconnected.
  // Gaps.
  SequenceTooHigh,  ///< numbers: expected, received.
  ResendRequested,  ///< By us; numbers: from, to (0 = no end).
  ResendAbandoned,  ///< Too many attempts; numbers: expected, highest.
  ResendRepeated,   ///< They requested the same range too often; numbers: from, count.
  GapClosed,
  HeldDropped,    ///< A message ahead of a gap did not fit and is requested later; number.
  ReplayStarted,  ///< For the peer; numbers: from, to.
  ReplayEnded,
  SequenceReset,       ///< By SequenceReset (35=4); numbers: before, after.
  ResetWithoutEffect,  ///< SequenceReset-Reset to the number already expected.
  // Faults of the peer.
  Garbled,             ///< Ignored; text: the defect.
  BeyondLimit,         ///< Larger than our limit; numbers: MsgSeqNum, the limit; text: the kind of
                       ///< limit that it exceeds.
  FirstNotLogon,       ///< number: its MsgSeqNum.
  SequenceTooLow,      ///< numbers: expected, received.
  SequenceInvalid,     ///< MsgSeqNum (34) is missing, 0 or not a number.
  DuplicateIgnored,    ///< 43=Y below the expected number; number.
  ResentAdminIgnored,  ///< 43=Y on a session message that must not be resent.
  WrongBeginString,    ///< number: its MsgSeqNum; text: its BeginString.
  WrongCompId,         ///< numbers: its MsgSeqNum, tag; text: its value.
  SendingTimeOff,      ///< Beyond the tolerance, or not a UTC time.
  Rejected,            ///< We sent a Reject (not of a Reject); numbers: reason, tag; text.
  RejectedBusiness,    ///< We sent a BusinessMessageReject (not of a reject); numbers: reason, tag;
                       ///< text.
  Warned,              ///< The validator warned; processing continues; numbers: reason, tag; text.
  RejectReceived,      ///< They sent a Reject; numbers: RefSeqNum, tag; text: its Text.
  LogonUnexpected,     ///< In mid-session, without 141=Y.
  RateExceeded,        ///< Too many messages; numbers: MsgSeqNum, limit. Reported at intervals.
  AfterLogout,         ///< Ignored input after a Logout.
  AfterClose,          ///< Ignored input after Disconnect.
  FieldsLeftOut,   ///< The application's fields of a session message could not be encoded; text:
                   ///< its MsgType.
  OutboxFull,      ///< A message of ours did not fit and was left out; text: its MsgType.
  ResentTooLarge,  ///< A stored message exceeds the peer's MaxMessageSize (383) and is gap-filled;
                   ///< numbers: MsgSeqNum, bytes.
};

[[nodiscard]] const char* to_text(Event event) noexcept;
[[nodiscard]] base::MessageCode code_of(Event event) noexcept;

/// Reason why the caller must close the connection, once the outbox is sent.
enum class DisconnectReason : std::uint8_t {
  LogoutComplete,  ///< Both sides sent a Logout.
  LogoutTimeout,   ///< They did not answer our Logout, or did not disconnect after our answer.
  LogonTimeout,
  LogonRefused,   ///< By the application, or because it is invalid.
  LogonRejected,  ///< By the peer.
  FirstNotLogon,
  IdentityUnknown,  ///< The first message is not for this session: nothing is sent.
  PeerSilent,
  RateExceeded,      ///< They exceeded the limit of ThrottleAction::Disconnect.
  PeerFault,         ///< A fault that ends the session; a Report has the details.
  NumbersExhausted,  ///< Our sequence numbers are used up: a reset is needed.
};

[[nodiscard]] const char* to_text(DisconnectReason reason) noexcept;
[[nodiscard]] base::MessageCode code_of(DisconnectReason reason) noexcept;

/// Reason why a command had no effect.
enum class SendError : std::uint8_t {
  NotLoggedOn,
  LoggingOut,
  Resetting,        ///< A reset in mid-session waits for the peer.
  OutboxFull,       ///< Carry out actions and send the outbox, then try again.
  TooLargeForPeer,  ///< Beyond MaxMessageSize (383) of their Logon.
  Encoding,         ///< The encoder from begin() refused a value; it has the error.
  BadType,          ///< Type of a session message, or empty.
  RejectOfReject,   ///< It would answer a Reject (3) or a BusinessMessageReject (j).
  SequenceExhausted,
  QueueFull,  ///< The maximum of queued messages is reached.
};

[[nodiscard]] const char* to_text(SendError error) noexcept;

/// SessionRejectReason (373).
enum class RejectReason : std::uint16_t {
  InvalidTagNumber = 0,
  RequiredTagMissing = 1,
  TagNotDefinedForType = 2,
  UndefinedTag = 3,
  TagWithoutValue = 4,
  ValueIncorrect = 5,
  FormatIncorrect = 6,
  DecryptionProblem = 7,
  SignatureProblem = 8,
  CompIdProblem = 9,
  SendingTimeAccuracy = 10,
  InvalidMsgType = 11,
  TagRepeated = 13,
  TagOutOfOrder = 14,
  GroupOutOfOrder = 15,
  GroupCountIncorrect = 16,
  SohInValue = 17,
  Other = 99,
};

/// Text (58) for a reason; static storage.
[[nodiscard]] const char* to_text(RejectReason reason) noexcept;

/// BusinessRejectReason (380).
enum class BusinessRejectReason : std::uint16_t {
  Other = 0,
  UnknownId = 1,
  UnknownSecurity = 2,
  UnsupportedMessageType = 3,
  ApplicationNotAvailable = 4,
  RequiredFieldMissing = 5,
  NotAuthorized = 6,
};

}  // namespace affix::inline v0::session
