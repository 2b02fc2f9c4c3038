// SPDX-License-Identifier: MIT
// The table of practices: each has the standard's word and one other.
#include "config/practice_keys.hpp"

#include <array>

namespace affix::inline v0::config {

namespace {

using session::Practice;

namespace practice_rows {

using Key = ConfigurationKey<Practice>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"malformed_fields", choice_of<&Practice::malformed_fields, session::MalformedField::Reject, session::MalformedField::Garbled>()}.one_of("REJECT|GARBLED")
        .means("a field without `=`, a tag that is not a number, data of the wrong length: answered with a Reject, or the message is garbled"),
    Key{"check_sum_form", choice_of<&Practice::check_sum_form, session::CheckSumForm::ThreeDigits, session::CheckSumForm::Number>()}.one_of("THREE_DIGITS|NUMBER")
        .means("whether 10 must have three digits, or only the right value"),
    Key{"field_order", choice_of<&Practice::field_order, session::FieldOrder::Customary, session::FieldOrder::Ascending>()}.one_of("CUSTOMARY|ASCENDING")
        .means("order of header fields and of the bodies of session messages: customary, or ascending by tag"),
    Key{"reject_tag", choice_of<&Practice::reject_tag, session::RejectTag::Always, session::RejectTag::FieldFault>()}.one_of("ALWAYS|FIELD_FAULT")
        .means("371 of a Reject: always, or not if CompID, 52, 122 or 36 has a valid form and an unacceptable value"),
    Key{"reject_text", choice_of<&Practice::reject_text, session::RejectText::Specification, session::RejectText::Short>()}.one_of("SPECIFICATION|SHORT")
        .means("58 of Rejects for misplaced group members and embedded SOH: the specification's text, or QuickFIX/J's"),
    Key{"reject_route", choice_of<&Practice::reject_route, session::RejectRoute::None, session::RejectRoute::Reversed>()}.one_of("NONE|REVERSED")
        .means("whether a Reject returns 115, 116, 144 of the message as 128, 129, 145, and vice versa"),
    Key{"faulty_reject", choice_of<&Practice::faulty_reject, session::FaultyReject::Unanswered, session::FaultyReject::Rejected>()}.one_of("UNANSWERED|REJECTED")
        .means("whether a faulty Reject is rejected; one that refers to such a Reject of ours never is"),
    Key{"fault_logout_text", choice_of<&Practice::fault_logout_text, session::LogoutText::Always, session::LogoutText::NotAfterReject>()}.one_of("ALWAYS|NOT_AFTER_REJECT")
        .means("whether the Logout after a Reject repeats the reason (58)"),
    Key{"appl_ver_id_answer", choice_of<&Practice::appl_ver_id_answer, session::ApplVerIdAnswer::Own, session::ApplVerIdAnswer::Peer>()}.one_of("OWN|PEER")
        .means("1137 of messages we send: `default_app_ver_id`, or that of the peer's Logon"),
    Key{"business_reject_version", choice_of<&Practice::business_reject_version, session::BusinessRejectVersion::Omit, session::BusinessRejectVersion::Include>()}.one_of("OMIT|INCLUDE")
        .means("FIXT.1.1: whether BusinessMessageReject has 1137"),
    Key{"test_request_id", choice_of<&Practice::test_request_id, session::TestRequestId::Counted, session::TestRequestId::Fixed>()}.one_of("COUNTED|FIXED")
        .means("112 of our TestRequests: a counter, or TEST"),
    Key{"zero_number", choice_of<&Practice::zero_number, session::ZeroNumber::Fault, session::ZeroNumber::TooLow>()}.one_of("FAULT|TOO_LOW")
        .means("34=0: an invalid number, or one that is too low"),
    Key{"rejected_admin", choice_of<&Practice::rejected_admin, session::RejectedAdmin::Counted, session::RejectedAdmin::NotCounted>()}.one_of("COUNTED|NOT_COUNTED")
        .means("whether a rejected Logon or SequenceReset consumes its number"),
    Key{"resend_request_number", choice_of<&Practice::resend_request_number, session::ResendRequestNumber::InSequence, session::ResendRequestNumber::Any>()}.one_of("IN_SEQUENCE|ANY")
        .means("IN_SEQUENCE: a ResendRequest is answered unless its number is too low, and consumes it in its turn; ANY: it is always answered, and consumes its number only if it is next (or keeps it, if our own requests have an end: [session profiles](session-profiles.md))"),
    Key{"early_test_request", choice_of<&Practice::early_test_request, session::EarlyTestRequest::Answered, session::EarlyTestRequest::Held>()}.one_of("ANSWERED|HELD")
        .means("a TestRequest ahead of a gap: answered at once, or in its turn"),
    Key{"early_reject", choice_of<&Practice::early_reject, session::EarlyReject::Held, session::EarlyReject::Counted>()}.one_of("HELD|COUNTED")
        .means("a Reject ahead of a gap: held, or consumes one number"),
    Key{"duplicate_check", choice_of<&Practice::duplicate_check, session::DuplicateCheck::Always, session::DuplicateCheck::WhenTooLow>()}.one_of("ALWAYS|WHEN_TOO_LOW")
        .means("whether 122 of possible duplicates is checked always, or only if the number is too low"),
    Key{"resent_admin", choice_of<&Practice::resent_admin, session::ResentAdmin::Counted, session::ResentAdmin::Processed>()}.one_of("COUNTED|PROCESSED")
        .means("a Logon or Logout with 43=Y whose number is next: only consumes its number, or is processed"),
    Key{"sequence_reset_rule", choice_of<&Practice::sequence_reset_rule, session::SequenceResetRule::Standard, session::SequenceResetRule::NewNumber>()}.one_of("STANDARD|NEW_NUMBER")
        .means("STANDARD: a GapFill must lead beyond its own number; NEW_NUMBER: only 36 is considered"),
    Key{"gap_request", choice_of<&Practice::gap_request, session::GapRequest::UntilClosed, session::GapRequest::WhenSeen>()}.one_of("UNTIL_CLOSED|WHEN_SEEN")
        .means("a gap is requested until it is closed, or only when a message ahead of it arrives and no request is open"),
    Key{"resend_range", choice_of<&Practice::resend_range, session::ResendRange::Checked, session::ResendRange::Cut>()}.one_of("CHECKED|CUT")
        .means("a ResendRequest for numbers that were never sent: rejected, or cut to the numbers that exist"),
    Key{"next_expected_rule", choice_of<&Practice::next_expected_rule, session::NextExpectedRule::Exact, session::NextExpectedRule::OneHighToo>()}.one_of("EXACT|ONE_HIGH_TOO")
        .means("a NextExpectedMsgSeqNum (789) of our next number plus one: answered with a Logout, or treated as our next number (quickfixgo counts its own Logon)"),
    Key{"too_low_logout", choice_of<&Practice::too_low_logout, session::TooLowLogout::AsFault, session::TooLowLogout::CloseAtOnce>()}.one_of("AS_FAULT|CLOSE_AT_ONCE")
        .means("after the Logout for a number that is too low: as `fault_logout` says, or disconnect without waiting"),
    Key{"faulty_logout", choice_of<&Practice::faulty_logout, session::FaultyLogout::Fault, session::FaultyLogout::Answered>()}.one_of("FAULT|ANSWERED")
        .means("a Logout with a wrong BeginString or a number that is too low: treated as a fault, or answered as any other"),
    Key{"logout_answer", choice_of<&Practice::logout_answer, session::LogoutAnswer::AwaitClose, session::LogoutAnswer::CloseAtOnce>()}.one_of("AWAIT_CLOSE|CLOSE_AT_ONCE")
        .means("after our answer to a Logout: wait for the peer to disconnect, or disconnect at once"),
    Key{"repeated_logon", choice_of<&Practice::repeated_logon, session::RepeatedLogon::Logout, session::RepeatedLogon::Close>()}.one_of("LOGOUT|CLOSE")
        .means("a Logon in mid-session without 141=Y: answered with a Logout, or the connection is closed"),
    Key{"faulty_logon", choice_of<&Practice::faulty_logon, session::FaultyLogon::Logout, session::FaultyLogon::Close>()}.one_of("LOGOUT|CLOSE")
        .means("a Logon with a wrong 52, or without 1137 in FIXT.1.1: answered with a Logout, or the connection is closed"),
    Key{"heartbeat_in_test", choice_of<&Practice::heartbeat_in_test, session::HeartbeatInTest::Sent, session::HeartbeatInTest::Withheld>()}.one_of("SENT|WITHHELD")
        .means("whether we send Heartbeats while a TestRequest of ours is open"),
    Key{"test_request_after", choice_of<&Practice::test_request_after, session::TestRequestAfter::Silence, session::TestRequestAfter::TwoHeartbeats>()}.one_of("SILENCE|TWO_HEARTBEATS")
        .means("when we send a TestRequest to a silent peer: after HeartBtInt and the grace; or also the grace after our second Heartbeat, at most one HeartBtInt later"),
    Key{"repeated_resend_request", choice_of<&Practice::repeated_resend_request, session::RepeatedResendRequest::Judged, session::RepeatedResendRequest::Discarded>()}.one_of("JUDGED|DISCARDED")
        .means("a ResendRequest with 43=Y: treated as any possible duplicate; or ignored, with 122 or without, if the first one arrived"),
};
// clang-format on

}  // namespace practice_rows

}  // namespace

std::span<const ConfigurationKey<Practice>> practice_keys() noexcept {
  return practice_rows::table;
}

}  // namespace affix::inline v0::config
