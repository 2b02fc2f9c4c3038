// SPDX-License-Identifier: MIT
// The table of practices: each has the standard's word and one other.
#include "config/practice_keys.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::config {

namespace {

using session::Practice;
using Settings = PracticeSettings;

/// A key of two words: the standard's, and the one for which `choose_other` is called.
struct Choice {
  std::string_view name;
  std::string Settings::* setting;
  std::string_view words;
  std::string_view meaning;
  void (*choose_other)(Practice& practice) noexcept;

  [[nodiscard]] constexpr std::string_view other_word() const noexcept {
    return words.substr(words.find('|') + 1);
  }
};

template <auto Member, auto Other>
constexpr Choice choice(std::string_view name, std::string Settings::* setting,
                        std::string_view words, std::string_view meaning) noexcept {
  return {name, setting, words, meaning,
          [](Practice& practice) noexcept { practice.*Member = Other; }};
}

// clang-format off: the sentence of the reference on one line.
constexpr std::array choices{
    choice<&Practice::malformed_field, session::MalformedField::Garbled>(
        "malformed_fields", &Settings::malformed_fields, "REJECT|GARBLED",
        "a field without `=`, a tag that is not a number, data of the wrong length: answered with a Reject, or the message is garbled"),
    choice<&Practice::check_sum_form, session::CheckSumForm::Number>(
        "check_sum_form", &Settings::check_sum_form, "THREE_DIGITS|NUMBER",
        "whether 10 must have three digits, or only the right value"),
    choice<&Practice::field_order, session::FieldOrder::Ascending>(
        "field_order", &Settings::field_order, "CUSTOMARY|ASCENDING",
        "order of header fields and of the bodies of session messages: customary, or ascending by tag"),
    choice<&Practice::reject_tag, session::RejectTag::FieldFault>(
        "reject_tag", &Settings::reject_tag, "ALWAYS|FIELD_FAULT",
        "371 of a Reject: always, or not if CompID, 52, 122 or 36 has a valid form and an unacceptable value"),
    choice<&Practice::reject_text, session::RejectText::Short>(
        "reject_text", &Settings::reject_text, "SPECIFICATION|SHORT",
        "58 of Rejects for misplaced group members and embedded SOH: the specification's text, or QuickFIX/J's"),
    choice<&Practice::reject_route, session::RejectRoute::Reversed>(
        "reject_route", &Settings::reject_route, "NONE|REVERSED",
        "whether a Reject returns 115, 116, 144 of the message as 128, 129, 145, and vice versa"),
    choice<&Practice::faulty_reject, session::FaultyReject::Rejected>(
        "faulty_reject", &Settings::faulty_reject, "UNANSWERED|REJECTED",
        "whether a faulty Reject is rejected; one that refers to such a Reject of ours never is"),
    choice<&Practice::logout_text, session::LogoutText::NotAfterReject>(
        "fault_logout_text", &Settings::fault_logout_text, "ALWAYS|NOT_AFTER_REJECT",
        "whether the Logout after a Reject repeats the reason (58)"),
    choice<&Practice::appl_ver_id_answer, session::ApplVerIdAnswer::Peer>(
        "appl_ver_id_answer", &Settings::appl_ver_id_answer, "OWN|PEER",
        "1137 of messages we send: `default_app_ver_id`, or that of the peer's Logon"),
    choice<&Practice::business_reject_version, session::BusinessRejectVersion::Include>(
        "business_reject_version", &Settings::business_reject_version, "OMIT|INCLUDE",
        "FIXT.1.1: whether BusinessMessageReject has 1137"),
    choice<&Practice::test_request_id, session::TestRequestId::Fixed>(
        "test_request_id", &Settings::test_request_id, "COUNTED|FIXED",
        "112 of our TestRequests: a counter, or TEST"),
    choice<&Practice::zero_number, session::ZeroNumber::TooLow>(
        "zero_number", &Settings::zero_number, "FAULT|TOO_LOW",
        "34=0: an invalid number, or one that is too low"),
    choice<&Practice::rejected_admin, session::RejectedAdmin::NotCounted>(
        "rejected_admin", &Settings::rejected_admin, "COUNTED|NOT_COUNTED",
        "whether a rejected Logon or SequenceReset consumes its number"),
    choice<&Practice::resend_request_number, session::ResendRequestNumber::Any>(
        "resend_request_number", &Settings::resend_request_number, "IN_SEQUENCE|ANY",
        "IN_SEQUENCE: a ResendRequest is answered unless its number is too low, and consumes it in its turn; ANY: it is always answered, and consumes its number only if it is next (or keeps it, if our own requests have an end: [session profiles](session-profiles.md))"),
    choice<&Practice::early_test_request, session::EarlyTestRequest::Held>(
        "early_test_request", &Settings::early_test_request, "ANSWERED|HELD",
        "a TestRequest ahead of a gap: answered at once, or in its turn"),
    choice<&Practice::early_reject, session::EarlyReject::Counted>(
        "early_reject", &Settings::early_reject, "HELD|COUNTED",
        "a Reject ahead of a gap: held, or consumes one number"),
    choice<&Practice::duplicate_check, session::DuplicateCheck::WhenTooLow>(
        "duplicate_check", &Settings::duplicate_check, "ALWAYS|WHEN_TOO_LOW",
        "whether 122 of possible duplicates is checked always, or only if the number is too low"),
    choice<&Practice::resent_admin, session::ResentAdmin::Processed>(
        "resent_admin", &Settings::resent_admin, "COUNTED|PROCESSED",
        "a Logon or Logout with 43=Y whose number is next: only consumes its number, or is processed"),
    choice<&Practice::sequence_reset_rule, session::SequenceResetRule::NewNumber>(
        "sequence_reset_rule", &Settings::sequence_reset_rule, "STANDARD|NEW_NUMBER",
        "STANDARD: a GapFill must lead beyond its own number; NEW_NUMBER: only 36 is considered"),
    choice<&Practice::gap_request, session::GapRequest::WhenSeen>(
        "gap_request", &Settings::gap_request, "UNTIL_CLOSED|WHEN_SEEN",
        "a gap is requested until it is closed, or only when a message ahead of it arrives and no request is open"),
    choice<&Practice::resend_range, session::ResendRange::Cut>(
        "resend_range", &Settings::resend_range, "CHECKED|CUT",
        "a ResendRequest for numbers that were never sent: rejected, or cut to the numbers that exist"),
    choice<&Practice::next_expected_rule, session::NextExpectedRule::OneHighToo>(
        "next_expected_rule", &Settings::next_expected_rule, "EXACT|ONE_HIGH_TOO",
        "a NextExpectedMsgSeqNum (789) of our next number plus one: answered with a Logout, or treated as our next number (quickfixgo counts its own Logon)"),
    choice<&Practice::too_low_logout, session::TooLowLogout::CloseAtOnce>(
        "too_low_logout", &Settings::too_low_logout, "AS_FAULT|CLOSE_AT_ONCE",
        "after the Logout for a number that is too low: as `fault_logout` says, or disconnect without waiting"),
    choice<&Practice::faulty_logout, session::FaultyLogout::Answered>(
        "faulty_logout", &Settings::faulty_logout, "FAULT|ANSWERED",
        "a Logout with a wrong BeginString or a number that is too low: treated as a fault, or answered as any other"),
    choice<&Practice::logout_answer, session::LogoutAnswer::CloseAtOnce>(
        "logout_answer", &Settings::logout_answer, "AWAIT_CLOSE|CLOSE_AT_ONCE",
        "after our answer to a Logout: wait for the peer to disconnect, or disconnect at once"),
    choice<&Practice::repeated_logon, session::RepeatedLogon::Close>(
        "repeated_logon", &Settings::repeated_logon, "LOGOUT|CLOSE",
        "a Logon in mid-session without 141=Y: answered with a Logout, or the connection is closed"),
    choice<&Practice::faulty_logon, session::FaultyLogon::Close>(
        "faulty_logon", &Settings::faulty_logon, "LOGOUT|CLOSE",
        "a Logon with a wrong 52, or without 1137 in FIXT.1.1: answered with a Logout, or the connection is closed"),
    choice<&Practice::heartbeat_in_test, session::HeartbeatInTest::Withheld>(
        "heartbeat_in_test", &Settings::heartbeat_in_test, "SENT|WITHHELD",
        "whether we send Heartbeats while a TestRequest of ours is open"),
    choice<&Practice::test_request_after, session::TestRequestAfter::TwoHeartbeats>(
        "test_request_after", &Settings::test_request_after, "SILENCE|TWO_HEARTBEATS",
        "when we send a TestRequest to a silent peer: after HeartBtInt and the grace; or also the grace after our second Heartbeat, at most one HeartBtInt later"),
};
// clang-format on

constexpr auto key_table = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array{ConfigurationKey<Settings>{choices[At].name, choices[At].setting}
                        .one_of(choices[At].words)
                        .means(choices[At].meaning)...};
}(std::make_index_sequence<choices.size()>());

}  // namespace

std::span<const ConfigurationKey<PracticeSettings>> practice_keys() noexcept {
  return key_table;
}

session::Practice practice_of(const PracticeSettings& settings) noexcept {
  Practice practice;
  for (const Choice& choice : choices) {
    if (settings.*choice.setting == choice.other_word()) {
      choice.choose_other(practice);
    }
  }
  return practice;
}

}  // namespace affix::inline v0::config
