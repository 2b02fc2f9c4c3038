// SPDX-License-Identifier: MIT
// What a session has to say about its life and its peer's faults, as values with texts.
#pragma once

#include <cstdint>

namespace affix::inline v0::session {

/// For logs, counters and the application; nothing has to be done about a report. A report about a
/// message has its MsgType; "tag" is 0 when none is named.
enum class Event : std::uint8_t {
  // The session's life.
  LoggedOn,        ///< numbers: next outgoing, next expected.
  LogonRefused,    ///< We refused theirs; numbers: theirs, tag; text says why.
  LogonRejected,   ///< They answered our Logon with a Logout or something else; text is their 58.
  LogoutReceived,  ///< text is their 58.
  LogoutAnswered,  ///< They answered our Logout.
  LogoutTimeout,   ///< They did not.
  LogonTimeout,
  NumbersReset,      ///< By 141, an option or a command.
  NumbersSet,        ///< By hand.
  NumbersExhausted,  ///< All but the Logout's number are used; number: the next one. The session
                     ///< ends, and does not begin again before a reset.
  ResetAbandoned,    ///< A reset waited for a proof that nothing is missing, and none came.
  QueuedLost,  ///< Messages numbered while disconnected were never sent before a reset; how many.
  TestRequestSent,
  TestUnanswered,  ///< Other traffic came, but not that Heartbeat.
  PeerSilent,      ///< Nothing after a TestRequest; disconnected.
  // Gaps.
  SequenceTooHigh,  ///< numbers: expected, received.
  ResendRequested,  ///< By us; numbers: from, to (0 = open).
  ResendAbandoned,  ///< Asked often enough; numbers: expected, highest.
  ResendRepeated,   ///< They asked for the same resend too often; numbers: from, how often.
  GapClosed,
  HeldDropped,    ///< A message ahead of a gap did not fit the arena and will be asked for; number.
  ReplayStarted,  ///< For them; numbers: from, to.
  ReplayEnded,
  SequenceReset,       ///< By SequenceReset (35=4); numbers: before, after.
  ResetWithoutEffect,  ///< SequenceReset-Reset to the number that was next anyway.
  // The peer's faults.
  Garbled,             ///< Ignored; text names the defect.
  BeyondLimit,         ///< Larger than we take; numbers: of the message, the limit; text says of
                       ///< what it is one.
  FirstNotLogon,       ///< number: of the message.
  SequenceTooLow,      ///< numbers: expected, received.
  SequenceInvalid,     ///< 34 missing, 0 or not a number.
  DuplicateIgnored,    ///< 43=Y below what is expected; number.
  ResentAdminIgnored,  ///< 43=Y on a session message that must not be resent.
  WrongBeginString,    ///< number: of the message; text is what it has.
  WrongCompId,         ///< numbers: of the message, tag; text is what it has.
  SendingTimeOff,      ///< Off threshold or no UTC time.
  Rejected,            ///< We sent a Reject, none about a Reject; numbers: reason, tag; text.
  RejectedBusiness,    ///< We sent a BusinessMessageReject, none about a reject; numbers: reason,
                       ///< tag; text.
  Warned,           ///< The validator warned, and the message goes on; numbers: reason, tag; text.
  RejectReceived,   ///< They sent a Reject; numbers: ours that it is about, tag; text is their 58.
  LogonUnexpected,  ///< In mid-session, without 141=Y.
  RateExceeded,     ///< Too many messages; numbers: of this one, the limit. Not told of each.
  AfterLogout,      ///< Something came after a Logout; ignored.
  AfterClose,       ///< Something came after Disconnect; ignored.
  FieldsLeftOut,    ///< The application's fields could not be encoded in a session message; text is
                    ///< its type.
  OutboxFull,  ///< A message of ours did not fit and was left out; numbers: its type is in text.
  ResentTooLarge,  ///< A stored message is larger than the peer accepts (383) and is gap-filled;
                   ///< numbers: 34, bytes.
};

[[nodiscard]] const char* to_text(Event event) noexcept;

/// Why the caller is to close the connection, once what is in the outbox is sent.
enum class DisconnectReason : std::uint8_t {
  LogoutComplete,  ///< Both sides said Logout.
  LogoutTimeout,   ///< They did not answer ours, or did not disconnect after we answered theirs.
  LogonTimeout,
  LogonRefused,   ///< By the application or because it was invalid.
  LogonRejected,  ///< By them.
  FirstNotLogon,
  IdentityUnknown,  ///< Identity of the first message is not this session's: no word is sent.
  PeerSilent,
  RateExceeded,      ///< They sent more messages than ThrottleAction::Disconnect allows.
  PeerFault,         ///< A fault that ends the session; a Report says which.
  NumbersExhausted,  ///< Our sequence numbers are used up: only a reset lets it go on.
};

[[nodiscard]] const char* to_text(DisconnectReason reason) noexcept;

/// Why a command did nothing.
enum class SendError : std::uint8_t {
  NotLoggedOn,
  LoggingOut,
  Resetting,        ///< A mid-session reset waits for the peer.
  OutboxFull,       ///< Let the caller carry out actions and send what is there; then try again.
  TooLargeForPeer,  ///< Beyond the 383 of their Logon.
  Encoding,         ///< The encoder refused a value; begin() gave the encoder that knows.
  BadType,          ///< A session message's type, or none.
  RejectOfReject,   ///< It would answer a Reject (3) or a BusinessMessageReject (j).
  SequenceExhausted,
  QueueFull,  ///< As many messages as allowed are numbered and not sent.
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

/// The 58 that goes with a reason; static storage.
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
