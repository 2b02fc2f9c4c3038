// SPDX-License-Identifier: MIT
// Texts of the session's enumerations.

#include "affix/session/events.hpp"
#include "affix/session/state.hpp"

namespace affix::inline v0::session {

const char* to_text(Phase phase) noexcept {
  switch (phase) {
    case Phase::Disconnected:
      return "disconnected";
    case Phase::LogonAwaited:
      return "Logon awaited";
    case Phase::LogonSent:
      return "Logon sent";
    case Phase::LogonPending:
      return "Logon pending";
    case Phase::Active:
      return "active";
    case Phase::ResetSent:
      return "reset sent";
    case Phase::LogoutSent:
      return "Logout sent";
    case Phase::LogoutForced:
      return "Logout sent after a fault";
    case Phase::LogoutAnswered:
      return "Logout answered";
    case Phase::Closing:
      return "closing";
  }
  return "unknown";
}

const char* to_text(Event event) noexcept {
  switch (event) {
    case Event::LoggedOn:
      return "logged on";
    case Event::LogonRefused:
      return "Logon refused";
    case Event::LogonRejected:
      return "Logon rejected by the peer";
    case Event::LogoutReceived:
      return "Logout received";
    case Event::LogoutAnswered:
      return "Logout answered";
    case Event::LogoutTimeout:
      return "Logout timed out";
    case Event::LogonTimeout:
      return "Logon timed out";
    case Event::NumbersReset:
      return "sequence numbers reset";
    case Event::NumbersSet:
      return "sequence numbers set by hand";
    case Event::NumbersExhausted:
      return "sequence numbers exhausted, a reset is needed";
    case Event::ResetAbandoned:
      return "reset abandoned";
    case Event::QueuedLost:
      return "queued messages lost by a reset";
    case Event::TestRequestSent:
      return "TestRequest sent";
    case Event::TestUnanswered:
      return "TestRequest unanswered";
    case Event::PeerSilent:
      return "peer is silent";
    case Event::SequenceTooHigh:
      return "MsgSeqNum too high";
    case Event::ResendRequested:
      return "resend requested";
    case Event::ResendAbandoned:
      return "resend abandoned";
    case Event::ResendRepeated:
      return "the same resend requested too often";
    case Event::GapClosed:
      return "gap closed";
    case Event::HeldDropped:
      return "message ahead of a gap dropped";
    case Event::ReplayStarted:
      return "replay started";
    case Event::ReplayEnded:
      return "replay ended";
    case Event::SequenceReset:
      return "SequenceReset received";
    case Event::ResetWithoutEffect:
      return "SequenceReset without effect";
    case Event::Garbled:
      return "garbled message ignored";
    case Event::BeyondLimit:
      return "message beyond a limit of ours";
    case Event::FirstNotLogon:
      return "first message is not a Logon";
    case Event::SequenceTooLow:
      return "MsgSeqNum too low";
    case Event::SequenceInvalid:
      return "MsgSeqNum invalid";
    case Event::DuplicateIgnored:
      return "possible duplicate ignored";
    case Event::ResentAdminIgnored:
      return "resent session message ignored";
    case Event::WrongBeginString:
      return "BeginString wrong";
    case Event::WrongCompId:
      return "CompID wrong";
    case Event::SendingTimeOff:
      return "SendingTime wrong";
    case Event::Rejected:
      return "message rejected";
    case Event::RejectedBusiness:
      return "message rejected on the business level";
    case Event::Warned:
      return "message delivered with a warning";
    case Event::RejectReceived:
      return "Reject received";
    case Event::LogonUnexpected:
      return "unexpected Logon";
    case Event::RateExceeded:
      return "more messages than throttle_limit allows";
    case Event::AfterLogout:
      return "message after Logout ignored";
    case Event::AfterClose:
      return "message after the end ignored";
    case Event::FieldsLeftOut:
      return "fields of the application left out";
    case Event::ResentTooLarge:
      return "a stored message is larger than the peer accepts, and gap-filled";
    case Event::OutboxFull:
      return "message left out";
  }
  return "unknown";
}

base::MessageCode code_of(Event event) noexcept {
  switch (event) {
    case Event::LoggedOn:
      return "S101";
    case Event::LogonRefused:
      return "S102";
    case Event::LogonRejected:
      return "S103";
    case Event::LogoutReceived:
      return "S104";
    case Event::LogoutAnswered:
      return "S105";
    case Event::LogoutTimeout:
      return "S106";
    case Event::LogonTimeout:
      return "S107";
    case Event::NumbersReset:
      return "S108";
    case Event::NumbersSet:
      return "S109";
    case Event::NumbersExhausted:
      return "S110";
    case Event::ResetAbandoned:
      return "S111";
    case Event::QueuedLost:
      return "S113";
    case Event::TestRequestSent:
      return "S114";
    case Event::TestUnanswered:
      return "S115";
    case Event::PeerSilent:
      return "S116";
    case Event::SequenceTooHigh:
      return "S117";
    case Event::ResendRequested:
      return "S118";
    case Event::ResendAbandoned:
      return "S119";
    case Event::ResendRepeated:
      return "S120";
    case Event::GapClosed:
      return "S121";
    case Event::HeldDropped:
      return "S122";
    case Event::ReplayStarted:
      return "S123";
    case Event::ReplayEnded:
      return "S124";
    case Event::SequenceReset:
      return "S125";
    case Event::ResetWithoutEffect:
      return "S126";
    case Event::Garbled:
      return "S127";
    case Event::BeyondLimit:
      return "S128";
    case Event::FirstNotLogon:
      return "S129";
    case Event::SequenceTooLow:
      return "S130";
    case Event::SequenceInvalid:
      return "S131";
    case Event::DuplicateIgnored:
      return "S132";
    case Event::ResentAdminIgnored:
      return "S133";
    case Event::WrongBeginString:
      return "S134";
    case Event::WrongCompId:
      return "S135";
    case Event::SendingTimeOff:
      return "S136";
    case Event::Rejected:
      return "S137";
    case Event::RejectedBusiness:
      return "S138";
    case Event::Warned:
      return "S139";
    case Event::RejectReceived:
      return "S140";
    case Event::LogonUnexpected:
      return "S141";
    case Event::RateExceeded:
      return "S142";
    case Event::AfterLogout:
      return "S143";
    case Event::AfterClose:
      return "S144";
    case Event::FieldsLeftOut:
      return "S145";
    case Event::ResentTooLarge:
      return "S112";
    case Event::OutboxFull:
      return "S146";
  }
  return {};
}

const char* to_text(DisconnectReason reason) noexcept {
  switch (reason) {
    case DisconnectReason::LogoutComplete:
      return "logout complete";
    case DisconnectReason::LogoutTimeout:
      return "Logout timed out";
    case DisconnectReason::LogonTimeout:
      return "Logon timed out";
    case DisconnectReason::LogonRefused:
      return "Logon refused";
    case DisconnectReason::LogonRejected:
      return "Logon rejected by the peer";
    case DisconnectReason::FirstNotLogon:
      return "first message is not a Logon";
    case DisconnectReason::IdentityUnknown:
      return "identity unknown";
    case DisconnectReason::PeerSilent:
      return "peer is silent";
    case DisconnectReason::RateExceeded:
      return "the peer sent more messages than allowed";
    case DisconnectReason::PeerFault:
      return "fault of the peer";
    case DisconnectReason::NumbersExhausted:
      return "sequence numbers exhausted";
  }
  return "unknown";
}

base::MessageCode code_of(DisconnectReason reason) noexcept {
  switch (reason) {
    case DisconnectReason::LogoutComplete:
      return "S201";
    case DisconnectReason::LogoutTimeout:
      return "S106";
    case DisconnectReason::LogonTimeout:
      return "S107";
    case DisconnectReason::LogonRefused:
      return "S102";
    case DisconnectReason::LogonRejected:
      return "S103";
    case DisconnectReason::FirstNotLogon:
      return "S129";
    case DisconnectReason::IdentityUnknown:
      return "S203";
    case DisconnectReason::PeerSilent:
      return "S116";
    case DisconnectReason::RateExceeded:
      return "S204";
    case DisconnectReason::PeerFault:
      return "S205";
    case DisconnectReason::NumbersExhausted:
      return "S202";
  }
  return {};
}

const char* to_text(SendError error) noexcept {
  switch (error) {
    case SendError::NotLoggedOn:
      return "not logged on";
    case SendError::LoggingOut:
      return "logging out";
    case SendError::Resetting:
      return "a reset is under way";
    case SendError::OutboxFull:
      return "outbox full";
    case SendError::TooLargeForPeer:
      return "larger than the peer accepts";
    case SendError::Encoding:
      return "a value cannot be encoded";
    case SendError::BadType:
      return "not a message type that may be sent";
    case SendError::RejectOfReject:
      return "a reject is not answered by a reject";
    case SendError::SequenceExhausted:
      return "sequence number out of range";
    case SendError::QueueFull:
      return "queue full";
  }
  return "unknown";
}

const char* to_text(RejectReason reason) noexcept {
  switch (reason) {
    case RejectReason::InvalidTagNumber:
      return "Invalid tag number";
    case RejectReason::RequiredTagMissing:
      return "Required tag missing";
    case RejectReason::TagNotDefinedForType:
      return "Tag not defined for this message type";
    case RejectReason::UndefinedTag:
      return "Undefined Tag";
    case RejectReason::TagWithoutValue:
      return "Tag specified without a value";
    case RejectReason::ValueIncorrect:
      return "Value is incorrect (out of range) for this tag";
    case RejectReason::FormatIncorrect:
      return "Incorrect data format for value";
    case RejectReason::DecryptionProblem:
      return "Decryption problem";
    case RejectReason::SignatureProblem:
      return "Signature problem";
    case RejectReason::CompIdProblem:
      return "CompID problem";
    case RejectReason::SendingTimeAccuracy:
      return "SendingTime accuracy problem";
    case RejectReason::InvalidMsgType:
      return "Invalid MsgType";
    case RejectReason::TagRepeated:
      return "Tag appears more than once";
    case RejectReason::TagOutOfOrder:
      return "Tag specified out of required order";
    case RejectReason::GroupOutOfOrder:
      return "Repeating group fields out of order";
    case RejectReason::GroupCountIncorrect:
      return "Incorrect NumInGroup count for repeating group";
    case RejectReason::SohInValue:
      return "Non \"data\" value includes field delimiter (SOH character)";
    case RejectReason::Other:
      return "Other";
  }
  return "unknown";
}

}  // namespace affix::inline v0::session
