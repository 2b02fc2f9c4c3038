// SPDX-License-Identifier: MIT
// The table of practices: each is the standard's, or one other.
#include "engine/practice_keys.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

namespace {

using session::Practice;
using Settings = PracticeSettings;

/// A key of two words: the standard's, and the one that makes `choose_other` do its part.
struct Choice {
  std::string_view name;
  std::string Settings::* setting;
  std::string_view words;
  void (*choose_other)(Practice& practice) noexcept;

  [[nodiscard]] constexpr std::string_view other_word() const noexcept {
    return words.substr(words.find('|') + 1);
  }
};

template <auto Member, auto Other>
constexpr Choice choice(std::string_view name, std::string Settings::* setting,
                        std::string_view words) noexcept {
  return {name, setting, words, [](Practice& practice) noexcept { practice.*Member = Other; }};
}

constexpr std::array choices{
    choice<&Practice::malformed_field, session::MalformedField::Garbled>(
        "malformed_fields", &Settings::malformed_fields, "REJECT|GARBLED"),
    choice<&Practice::check_sum_form, session::CheckSumForm::Number>(
        "check_sum_form", &Settings::check_sum_form, "THREE_DIGITS|NUMBER"),
    choice<&Practice::field_order, session::FieldOrder::Ascending>(
        "field_order", &Settings::field_order, "CUSTOMARY|ASCENDING"),
    choice<&Practice::reject_tag, session::RejectTag::FieldFault>(
        "reject_tag", &Settings::reject_tag, "ALWAYS|FIELD_FAULT"),
    choice<&Practice::reject_text, session::RejectText::Short>(
        "reject_text", &Settings::reject_text, "SPECIFICATION|SHORT"),
    choice<&Practice::reject_route, session::RejectRoute::Reversed>(
        "reject_route", &Settings::reject_route, "NONE|REVERSED"),
    choice<&Practice::faulty_reject, session::FaultyReject::Rejected>(
        "faulty_reject", &Settings::faulty_reject, "UNANSWERED|REJECTED"),
    choice<&Practice::logout_text, session::LogoutText::NotAfterReject>(
        "fault_logout_text", &Settings::fault_logout_text, "ALWAYS|NOT_AFTER_REJECT"),
    choice<&Practice::appl_ver_id_answer, session::ApplVerIdAnswer::Peer>(
        "appl_ver_id_answer", &Settings::appl_ver_id_answer, "OWN|PEER"),
    choice<&Practice::business_reject_version, session::BusinessRejectVersion::Include>(
        "business_reject_version", &Settings::business_reject_version, "OMIT|INCLUDE"),
    choice<&Practice::test_request_id, session::TestRequestId::Fixed>(
        "test_request_id", &Settings::test_request_id, "COUNTED|FIXED"),
    choice<&Practice::zero_number, session::ZeroNumber::TooLow>(
        "zero_number", &Settings::zero_number, "FAULT|TOO_LOW"),
    choice<&Practice::rejected_admin, session::RejectedAdmin::NotCounted>(
        "rejected_admin", &Settings::rejected_admin, "COUNTED|NOT_COUNTED"),
    choice<&Practice::resend_request_number, session::ResendRequestNumber::Any>(
        "resend_request_number", &Settings::resend_request_number, "IN_SEQUENCE|ANY"),
    choice<&Practice::early_test_request, session::EarlyTestRequest::Held>(
        "early_test_request", &Settings::early_test_request, "ANSWERED|HELD"),
    choice<&Practice::early_reject, session::EarlyReject::Counted>(
        "early_reject", &Settings::early_reject, "HELD|COUNTED"),
    choice<&Practice::duplicate_check, session::DuplicateCheck::WhenTooLow>(
        "duplicate_check", &Settings::duplicate_check, "ALWAYS|WHEN_TOO_LOW"),
    choice<&Practice::resent_admin, session::ResentAdmin::Processed>(
        "resent_admin", &Settings::resent_admin, "COUNTED|PROCESSED"),
    choice<&Practice::sequence_reset_rule, session::SequenceResetRule::NewNumber>(
        "sequence_reset_rule", &Settings::sequence_reset_rule, "STANDARD|NEW_NUMBER"),
    choice<&Practice::gap_request, session::GapRequest::WhenSeen>(
        "gap_request", &Settings::gap_request, "UNTIL_CLOSED|WHEN_SEEN"),
    choice<&Practice::resend_range, session::ResendRange::Cut>(
        "resend_range", &Settings::resend_range, "CHECKED|CUT"),
    choice<&Practice::next_expected_rule, session::NextExpectedRule::OneHighToo>(
        "next_expected_rule", &Settings::next_expected_rule, "EXACT|ONE_HIGH_TOO"),
    choice<&Practice::too_low_logout, session::TooLowLogout::CloseAtOnce>(
        "too_low_logout", &Settings::too_low_logout, "AS_FAULT|CLOSE_AT_ONCE"),
    choice<&Practice::faulty_logout, session::FaultyLogout::Answered>(
        "faulty_logout", &Settings::faulty_logout, "FAULT|ANSWERED"),
    choice<&Practice::logout_answer, session::LogoutAnswer::CloseAtOnce>(
        "logout_answer", &Settings::logout_answer, "AWAIT_CLOSE|CLOSE_AT_ONCE"),
    choice<&Practice::repeated_logon, session::RepeatedLogon::Close>(
        "repeated_logon", &Settings::repeated_logon, "LOGOUT|CLOSE"),
    choice<&Practice::faulty_logon, session::FaultyLogon::Close>(
        "faulty_logon", &Settings::faulty_logon, "LOGOUT|CLOSE"),
    choice<&Practice::heartbeat_in_test, session::HeartbeatInTest::Withheld>(
        "heartbeat_in_test", &Settings::heartbeat_in_test, "SENT|WITHHELD"),
    choice<&Practice::test_request_after, session::TestRequestAfter::TwoHeartbeats>(
        "test_request_after", &Settings::test_request_after, "SILENCE|TWO_HEARTBEATS"),
};

constexpr auto key_table = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array{ConfigurationKey<Settings>{choices[At].name, choices[At].setting, 0, 0,
                                               choices[At].words}...};
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

}  // namespace affix::inline v0::engine
