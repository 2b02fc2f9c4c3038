// SPDX-License-Identifier: MIT
// Rules in which counterparties differ from the standard, or the standard leaves a choice: one
// enumeration each; its first value is the standard's. A session profile selects among these.
#pragma once

#include <cstdint>

namespace affix::inline v0::session {

// Validity of messages.

/// A field without `=`, a tag that is not a number, a data field of wrong length. A number that is
/// not a valid tag (0, negative) is always a faulty field.
enum class MalformedField : std::uint8_t {
  Reject,   ///< Test cases 14a and 14k: Reject; the number is consumed.
  Garbled,  ///< Ignores the whole message.
};

/// Accepted forms of CheckSum (10).
enum class CheckSumForm : std::uint8_t {
  ThreeDigits,  ///< Test cases 3d and 3e.
  Number,       ///< Any text with the right number.
};

// Form of our messages.

enum class FieldOrder : std::uint8_t {
  Customary,  ///< Constant header fields first; bodies as the specification lists them.
  Ascending,  ///< Header after 35, and bodies of session messages, by tag.
};

/// RefTagID (371) of a Reject.
enum class RejectTag : std::uint8_t {
  Always,      ///< Present whenever a field is at fault.
  FieldFault,  ///< Absent if CompID, SendingTime, OrigSendingTime or NewSeqNo has a valid form but
               ///< an unacceptable value.
};

/// Text (58) of a Reject.
enum class RejectText : std::uint8_t {
  Specification,
  Short,  ///< QuickFIX/J's texts for a misplaced group member and for SOH inside a value.
};

/// Routes a Reject back: 115, 116 and 144 of the message as 128, 129 and 145, and the
/// reverse.
enum class RejectRoute : std::uint8_t { None, Reversed };

/// Reaction to a faulty Reject (35=3).
enum class FaultyReject : std::uint8_t {
  Unanswered,  ///< Counted and reported: mutual rejects would never end.
  Rejected,    ///< Rejected, unless it refers to such a Reject of ours.
};

/// Repeats the reason in the Logout that follows a Reject, or not.
enum class LogoutText : std::uint8_t { Always, NotAfterReject };

/// DefaultApplVerID (1137) of our messages.
enum class ApplVerIdAnswer : std::uint8_t {
  Own,   ///< The configured one.
  Peer,  ///< The one in the peer's Logon.
};

/// DefaultApplVerID (1137) in BusinessMessageReject of FIXT sessions, although no specification
/// defines it.
enum class BusinessRejectVersion : std::uint8_t { Omit, Include };

/// TestReqID (112) of our TestRequests.
enum class TestRequestId : std::uint8_t {
  Counted,  ///< "1", "2" and so on, so that answers can be distinguished.
  Fixed,    ///< "TEST".
};

// Treatment of sequence numbers.

/// MsgSeqNum 0 in a message other than SequenceReset-Reset.
enum class ZeroNumber : std::uint8_t {
  Fault,   ///< Logout: 0 is no valid number.
  TooLow,  ///< Treated as lower than expected.
};

/// Defines if a rejected Logon or SequenceReset with the expected number consumes it.
enum class RejectedAdmin : std::uint8_t { Counted, NotCounted };

/// A ResendRequest whose number is not the expected one.
enum class ResendRequestNumber : std::uint8_t {
  InSequence,  ///< Too high: answered and held; too low: Logout.
  /// Answered and dropped, unless our requests have an end (`resend_range_max`, `ResendEnd::Gap`):
  /// these would not request its number again, so it is held.
  Any,
};

/// A ResendRequest with PossDupFlag. Some engines send one for every message received ahead of a
/// gap, with the number of the first one and without OrigSendingTime.
enum class RepeatedResendRequest : std::uint8_t {
  Judged,     ///< Like any possible duplicate.
  Discarded,  ///< Ignored if the first one was received.
};

/// A TestRequest received ahead of a gap.
enum class EarlyTestRequest : std::uint8_t { Answered, Held };

/// A Reject received ahead of a gap.
enum class EarlyReject : std::uint8_t {
  Held,
  Counted,  ///< Advances the expected number by one and requests nothing.
};

/// Test cases 2f and 2g: OrigSendingTime of a possible duplicate.
enum class DuplicateCheck : std::uint8_t {
  Always,      ///< Required, and not later than SendingTime, else Reject.
  WhenTooLow,  ///< Checked below the expected number only; if later: Reject and Logout.
};

/// A resent (43=Y) Logout or Logon with the expected number.
enum class ResentAdmin : std::uint8_t { Counted, Processed };

/// Check of the numbers in a SequenceReset.
enum class SequenceResetRule : std::uint8_t {
  Standard,   ///< Test cases 10 and 11: a GapFill must exceed its own number.
  NewNumber,  ///< Only NewSeqNo matters: higher is accepted, equal is ignored, lower is a Reject
              ///< that consumes no number.
};

/// When we send a ResendRequest.
enum class GapRequest : std::uint8_t {
  UntilClosed,  ///< While numbers are missing.
  WhenSeen,     ///< For a message ahead of the gap if no request is open. A request stays open
                ///< until the number before that message arrives.
};

/// Range that the peer's ResendRequest may have.
enum class ResendRange : std::uint8_t {
  Checked,  ///< Reject if numbers were never sent, or the range is backwards.
  Cut,      ///< Reduced to existing numbers. An empty range at our next number gets an empty
            ///< GapFill; any other empty range is ignored.
};

/// NextExpectedMsgSeqNum (789) of their Logon.
enum class NextExpectedRule : std::uint8_t {
  Exact,       ///< Above our next number: Logout, because the peer expects a message never sent.
  OneHighToo,  ///< One above counts as our next number: quickfixgo counts its own answer.
};

// End of a session.

/// Reaction to a MsgSeqNum that is too low.
enum class TooLowLogout : std::uint8_t {
  AsFault,      ///< Logout, then the action of FaultLogout.
  CloseAtOnce,  ///< Logout; no answer is awaited.
};

/// A Logout from the peer with a wrong BeginString or a MsgSeqNum that is too low.
enum class FaultyLogout : std::uint8_t { Fault, Answered };

/// Action after we answered a Logout.
enum class LogoutAnswer : std::uint8_t {
  AwaitClose,  ///< The peer disconnects; after a time-out we do.
  CloseAtOnce,
};

/// A Logon in mid-session without 141=Y.
enum class RepeatedLogon : std::uint8_t {
  Logout,
  Close,  ///< Without a Logout.
};

/// A Logon with a wrong SendingTime, or, in FIXT, without DefaultApplVerID.
enum class FaultyLogon : std::uint8_t {
  Logout,
  Close,  ///< Without a Logout.
};

// Heartbeats.

/// Our Heartbeats while a TestRequest of ours is open.
enum class HeartbeatInTest : std::uint8_t { Sent, Withheld };

/// When we send a TestRequest to a silent peer.
enum class TestRequestAfter : std::uint8_t {
  Silence,  ///< After HeartBtInt and the grace without a message from the peer.
  /// As above, and the grace after our second Heartbeat that reported our own silence; at most one
  /// HeartBtInt later than Silence.
  TwoHeartbeats,
};

struct Practice {
  MalformedField malformed_fields = MalformedField::Reject;
  CheckSumForm check_sum_form = CheckSumForm::ThreeDigits;

  FieldOrder field_order = FieldOrder::Customary;
  RejectTag reject_tag = RejectTag::Always;
  RejectText reject_text = RejectText::Specification;
  RejectRoute reject_route = RejectRoute::None;
  FaultyReject faulty_reject = FaultyReject::Unanswered;
  LogoutText fault_logout_text = LogoutText::Always;
  ApplVerIdAnswer appl_ver_id_answer = ApplVerIdAnswer::Own;
  BusinessRejectVersion business_reject_version = BusinessRejectVersion::Omit;
  TestRequestId test_request_id = TestRequestId::Counted;

  ZeroNumber zero_number = ZeroNumber::Fault;
  RejectedAdmin rejected_admin = RejectedAdmin::Counted;
  ResendRequestNumber resend_request_number = ResendRequestNumber::InSequence;
  RepeatedResendRequest repeated_resend_request = RepeatedResendRequest::Judged;
  EarlyTestRequest early_test_request = EarlyTestRequest::Answered;
  EarlyReject early_reject = EarlyReject::Held;
  DuplicateCheck duplicate_check = DuplicateCheck::Always;
  ResentAdmin resent_admin = ResentAdmin::Counted;
  SequenceResetRule sequence_reset_rule = SequenceResetRule::Standard;
  GapRequest gap_request = GapRequest::UntilClosed;
  ResendRange resend_range = ResendRange::Checked;
  NextExpectedRule next_expected_rule = NextExpectedRule::Exact;

  TooLowLogout too_low_logout = TooLowLogout::AsFault;
  FaultyLogout faulty_logout = FaultyLogout::Fault;
  LogoutAnswer logout_answer = LogoutAnswer::AwaitClose;
  RepeatedLogon repeated_logon = RepeatedLogon::Logout;
  FaultyLogon faulty_logon = FaultyLogon::Logout;

  HeartbeatInTest heartbeat_in_test = HeartbeatInTest::Sent;
  TestRequestAfter test_request_after = TestRequestAfter::Silence;

  friend bool operator==(const Practice&, const Practice&) = default;
};

}  // namespace affix::inline v0::session
