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

namespace {

base::CodedText described(Event event) noexcept {
  switch (event) {
    case Event::LoggedOn:
      return {"logged on", "S101"};
    case Event::Continued:
      return {"still logged on, from an earlier process", "S152"};
    case Event::LogonRefused:
      return {"Logon refused", "S102"};
    case Event::LogonRejected:
      return {"Logon rejected by the peer", "S103"};
    case Event::LogoutReceived:
      return {"Logout received", "S104"};
    case Event::LogoutAnswered:
      return {"Logout answered", "S105"};
    case Event::LogoutTimeout:
      return {"Logout timed out", "S106"};
    case Event::LogonTimeout:
      return {"Logon timed out", "S107"};
    case Event::NumbersReset:
      return {"sequence numbers reset", "S108"};
    case Event::NumbersSet:
      return {"sequence numbers set by hand", "S109"};
    case Event::NumbersExhausted:
      return {"sequence numbers exhausted, a reset is needed", "S110"};
    case Event::ResetAbandoned:
      return {"reset abandoned", "S111"};
    case Event::QueuedLost:
      return {"queued messages lost by a reset", "S113"};
    case Event::TestRequestSent:
      return {"TestRequest sent", "S114"};
    case Event::TestUnanswered:
      return {"TestRequest unanswered", "S115"};
    case Event::PeerSilent:
      return {"peer is silent", "S116"};
    case Event::SequenceTooHigh:
      return {"MsgSeqNum too high", "S117"};
    case Event::ResendRequested:
      return {"resend requested", "S118"};
    case Event::ResendAbandoned:
      return {"resend abandoned", "S119"};
    case Event::ResendRepeated:
      return {"the same resend requested too often", "S120"};
    case Event::GapClosed:
      return {"gap closed", "S121"};
    case Event::HeldDropped:
      return {"message ahead of a gap dropped", "S122"};
    case Event::ReplayStarted:
      return {"replay started", "S123"};
    case Event::ReplayEnded:
      return {"replay ended", "S124"};
    case Event::SequenceReset:
      return {"SequenceReset received", "S125"};
    case Event::ResetWithoutEffect:
      return {"SequenceReset without effect", "S126"};
    case Event::Garbled:
      return {"garbled message ignored", "S127"};
    case Event::BeyondLimit:
      return {"message beyond a limit of ours", "S128"};
    case Event::FirstNotLogon:
      return {"first message is not a Logon", "S129"};
    case Event::SequenceTooLow:
      return {"MsgSeqNum too low", "S130"};
    case Event::SequenceInvalid:
      return {"MsgSeqNum invalid", "S131"};
    case Event::DuplicateIgnored:
      return {"possible duplicate ignored", "S132"};
    case Event::ResentAdminIgnored:
      return {"resent session message ignored", "S133"};
    case Event::WrongBeginString:
      return {"BeginString wrong", "S134"};
    case Event::WrongCompId:
      return {"CompID wrong", "S135"};
    case Event::SendingTimeOff:
      return {"SendingTime wrong", "S136"};
    case Event::Rejected:
      return {"message rejected", "S137"};
    case Event::RejectedBusiness:
      return {"message rejected on the business level", "S138"};
    case Event::Warned:
      return {"message delivered with a warning", "S139"};
    case Event::RejectReceived:
      return {"Reject received", "S140"};
    case Event::LogonUnexpected:
      return {"unexpected Logon", "S141"};
    case Event::RateExceeded:
      return {"more messages than throttle_limit allows", "S142"};
    case Event::AfterLogout:
      return {"message after Logout ignored", "S143"};
    case Event::AfterClose:
      return {"message after the end ignored", "S144"};
    case Event::FieldsLeftOut:
      return {"fields of the application left out", "S145"};
    case Event::ResentTooLarge:
      return {"a stored message is larger than the peer accepts, and gap-filled", "S112"};
    case Event::OutboxFull:
      return {"message left out", "S146"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(Event event) noexcept {
  return described(event).text.data();
}

base::MessageCode code_of(Event event) noexcept {
  return described(event).code;
}

namespace {

base::CodedText described(DisconnectReason reason) noexcept {
  switch (reason) {
    case DisconnectReason::LogoutComplete:
      return {"logout complete", "S201"};
    case DisconnectReason::LogoutTimeout:
      return {"Logout timed out", "S106"};
    case DisconnectReason::LogonTimeout:
      return {"Logon timed out", "S107"};
    case DisconnectReason::LogonRefused:
      return {"Logon refused", "S102"};
    case DisconnectReason::LogonRejected:
      return {"Logon rejected by the peer", "S103"};
    case DisconnectReason::FirstNotLogon:
      return {"first message is not a Logon", "S129"};
    case DisconnectReason::IdentityUnknown:
      return {"identity unknown", "S203"};
    case DisconnectReason::PeerSilent:
      return {"peer is silent", "S116"};
    case DisconnectReason::RateExceeded:
      return {"the peer sent more messages than allowed", "S204"};
    case DisconnectReason::PeerFault:
      return {"fault of the peer", "S205"};
    case DisconnectReason::NumbersExhausted:
      return {"sequence numbers exhausted", "S202"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(DisconnectReason reason) noexcept {
  return described(reason).text.data();
}

base::MessageCode code_of(DisconnectReason reason) noexcept {
  return described(reason).code;
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
