// SPDX-License-Identifier: MIT
// Where counterparties differ from the standard or the standard leaves a choice: one enumeration
// for each such rule, the first value being the standard's. A session profile is a choice of these.
#pragma once

#include <cstdint>

namespace affix::inline v0::session {

// What is a message at all.

/// A piece without `=`, a tag that is no number, a data field of the wrong length. A number that is
/// no tag (0, negative) is always a field with a fault.
enum class MalformedField : std::uint8_t {
  Reject,   ///< Test cases 14a and 14k: Reject, and the number is consumed.
  Garbled,  ///< Ignored with the whole message.
};

/// What CheckSum (10) must look like.
enum class CheckSumForm : std::uint8_t {
  ThreeDigits,  ///< Test cases 3d and 3e.
  Number,       ///< Any text of the right number.
};

// How our messages are written.

enum class FieldOrder : std::uint8_t {
  Customary,  ///< Constant header fields first; bodies as the specification lists them.
  Ascending,  ///< Header behind 35, and bodies of session messages, by tag.
};

/// RefTagID (371) of a Reject.
enum class RejectTag : std::uint8_t {
  Always,      ///< Whenever a field is at fault.
  FieldFault,  ///< Not when CompID, SendingTime, OrigSendingTime or NewSeqNo has a valid form but
               ///< an unacceptable value.
};

/// Texts (58) of a Reject.
enum class RejectText : std::uint8_t {
  Specification,
  Short,  ///< QuickFIX/J's words for a misplaced group member and for SOH inside a value.
};

/// Whether a Reject goes back the way the message came: 115, 116 and 144 as 128, 129 and 145, and
/// the other way round.
enum class RejectRoute : std::uint8_t { None, Reversed };

/// A Reject (35=3) that is itself to be rejected.
enum class FaultyReject : std::uint8_t {
  Unanswered,  ///< Counted and reported: two engines that reject each other's would never end.
  Rejected,    ///< But not one that is about such a Reject of ours.
};

/// Whether the Logout that follows a Reject says why once more.
enum class LogoutText : std::uint8_t { Always, NotAfterReject };

/// DefaultApplVerID (1137) of our messages.
enum class ApplVerIdAnswer : std::uint8_t {
  Own,   ///< The option's.
  Peer,  ///< The one of their Logon.
};

/// DefaultApplVerID (1137) in BusinessMessageReject of FIXT sessions, where no specification has
/// it.
enum class BusinessRejectVersion : std::uint8_t { Omit, Include };

/// TestReqID (112) of our TestRequests.
enum class TestRequestId : std::uint8_t {
  Counted,  ///< "1", "2" and so on, so that the answer can be told apart.
  Fixed,    ///< "TEST".
};

// How numbers are taken.

/// MsgSeqNum 0 in a message that is no SequenceReset-Reset.
enum class ZeroNumber : std::uint8_t {
  Fault,   ///< Logout: it is no number.
  TooLow,  ///< A number below the expected one.
};

/// Whether a rejected Logon or SequenceReset that is next takes its number, as all others do.
enum class RejectedAdmin : std::uint8_t { Counted, NotCounted };

/// A ResendRequest whose number is not the expected one.
enum class ResendRequestNumber : std::uint8_t {
  InSequence,  ///< Too high: answered and held; too low: Logout.
  /// Answered and forgotten, unless requests of ours have an end (`resend_range_max`,
  /// `ResendEnd::Gap`): they would not bring its number again, so it is held.
  Any,
};

/// A ResendRequest with PossDupFlag, as some send one for every further message that they get ahead
/// of a gap: with the number of the first one and without OrigSendingTime.
enum class RepeatedResendRequest : std::uint8_t {
  Judged,     ///< As any possible duplicate.
  Discarded,  ///< Nothing, if the first one came.
};

/// A TestRequest ahead of a gap.
enum class EarlyTestRequest : std::uint8_t { Answered, Held };

/// A Reject ahead of a gap.
enum class EarlyReject : std::uint8_t {
  Held,
  Counted,  ///< One more number is taken, and nothing asked for.
};

/// Test cases 2f and 2g: OrigSendingTime of a possible duplicate.
enum class DuplicateCheck : std::uint8_t {
  Always,      ///< Must be there and not behind SendingTime, or Reject.
  WhenTooLow,  ///< Looked at only below the expected number; behind SendingTime: Reject and Logout.
};

/// A resent (43=Y) Logout or Logon whose number is next.
enum class ResentAdmin : std::uint8_t { Counted, Processed };

/// A SequenceReset's numbers.
enum class SequenceResetRule : std::uint8_t {
  Standard,   ///< Test cases 10 and 11: a GapFill must lead beyond its own number.
  NewNumber,  ///< NewSeqNo alone decides: higher is taken, equal is nothing, lower is a Reject that
              ///< takes no number.
};

/// When a ResendRequest of ours goes out.
enum class GapRequest : std::uint8_t {
  UntilClosed,  ///< As long as numbers are missing.
  WhenSeen,     ///< When a message ahead of the gap comes and no request is open: one is, until the
                ///< number before the one that caused it has come.
};

/// What a ResendRequest of theirs may ask for.
enum class ResendRange : std::uint8_t {
  Checked,  ///< Numbers that were never sent, or backwards: Reject.
  Cut,      ///< What there is of it. The number that comes next gets a GapFill that fills nothing,
            ///< and any other nothing is nothing.
};

/// NextExpectedMsgSeqNum (789) of their Logon.
enum class NextExpectedRule : std::uint8_t {
  Exact,       ///< Above our next number: Logout, since they expect what was never sent.
  OneHighToo,  ///< One above it counts as our next number: quickfixgo counts its own answer.
};

// How a session ends.

/// A MsgSeqNum that is too low.
enum class TooLowLogout : std::uint8_t {
  AsFault,      ///< Logout, then as FaultLogout says.
  CloseAtOnce,  ///< Logout, and no waiting for an answer.
};

/// A Logout of theirs that has another BeginString or too low a number.
enum class FaultyLogout : std::uint8_t { Fault, Answered };

/// After we have answered a Logout.
enum class LogoutAnswer : std::uint8_t {
  AwaitClose,  ///< They are to disconnect; we do when they do not.
  CloseAtOnce,
};

/// A Logon in mid-session without 141=Y.
enum class RepeatedLogon : std::uint8_t {
  Logout,
  Close,  ///< Without a word.
};

/// A Logon with a wrong SendingTime, or, in FIXT, without DefaultApplVerID.
enum class FaultyLogon : std::uint8_t {
  Logout,
  Close,  ///< Without a word.
};

// Heartbeats.

/// Our Heartbeats while a TestRequest of ours is open.
enum class HeartbeatInTest : std::uint8_t { Sent, Withheld };

/// When a silent peer is asked whether it is there.
enum class TestRequestAfter : std::uint8_t {
  Silence,  ///< After HeartBtInt and the grace without a word of theirs.
  /// That, and the grace after the second Heartbeat of ours that told them of our own silence; at
  /// the latest one HeartBtInt later than by silence alone.
  TwoHeartbeats,
};

struct Practice {
  MalformedField malformed_field = MalformedField::Reject;
  CheckSumForm check_sum_form = CheckSumForm::ThreeDigits;

  FieldOrder field_order = FieldOrder::Customary;
  RejectTag reject_tag = RejectTag::Always;
  RejectText reject_text = RejectText::Specification;
  RejectRoute reject_route = RejectRoute::None;
  FaultyReject faulty_reject = FaultyReject::Unanswered;
  LogoutText logout_text = LogoutText::Always;
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
};

}  // namespace affix::inline v0::session
