// SPDX-License-Identifier: MIT
// The table of practices: each is the standard's, or one other.
#include "engine/practice_keys.hpp"

#include <array>
#include <string_view>

namespace affix::inline v0::engine {

namespace {

using session::Practice;
using Settings = PracticeSettings;

constexpr std::array key_table{
    ConfigurationKey<Settings>{"malformed_fields", &Settings::malformed_fields, 0, 0,
                               "REJECT|GARBLED"},
    ConfigurationKey<Settings>{"check_sum_form", &Settings::check_sum_form, 0, 0,
                               "THREE_DIGITS|NUMBER"},
    ConfigurationKey<Settings>{"field_order", &Settings::field_order, 0, 0, "CUSTOMARY|ASCENDING"},
    ConfigurationKey<Settings>{"reject_tag", &Settings::reject_tag, 0, 0, "ALWAYS|FIELD_FAULT"},
    ConfigurationKey<Settings>{"reject_text", &Settings::reject_text, 0, 0, "SPECIFICATION|SHORT"},
    ConfigurationKey<Settings>{"reject_route", &Settings::reject_route, 0, 0, "NONE|REVERSED"},
    ConfigurationKey<Settings>{"faulty_reject", &Settings::faulty_reject, 0, 0,
                               "UNANSWERED|REJECTED"},
    ConfigurationKey<Settings>{"fault_logout_text", &Settings::fault_logout_text, 0, 0,
                               "ALWAYS|NOT_AFTER_REJECT"},
    ConfigurationKey<Settings>{"appl_ver_id_answer", &Settings::appl_ver_id_answer, 0, 0,
                               "OWN|PEER"},
    ConfigurationKey<Settings>{"business_reject_version", &Settings::business_reject_version, 0, 0,
                               "OMIT|INCLUDE"},
    ConfigurationKey<Settings>{"test_request_id", &Settings::test_request_id, 0, 0,
                               "COUNTED|FIXED"},
    ConfigurationKey<Settings>{"zero_number", &Settings::zero_number, 0, 0, "FAULT|TOO_LOW"},
    ConfigurationKey<Settings>{"rejected_admin", &Settings::rejected_admin, 0, 0,
                               "COUNTED|NOT_COUNTED"},
    ConfigurationKey<Settings>{"resend_request_number", &Settings::resend_request_number, 0, 0,
                               "IN_SEQUENCE|ANY"},
    ConfigurationKey<Settings>{"early_test_request", &Settings::early_test_request, 0, 0,
                               "ANSWERED|HELD"},
    ConfigurationKey<Settings>{"early_reject", &Settings::early_reject, 0, 0, "HELD|COUNTED"},
    ConfigurationKey<Settings>{"duplicate_check", &Settings::duplicate_check, 0, 0,
                               "ALWAYS|WHEN_TOO_LOW"},
    ConfigurationKey<Settings>{"resent_admin", &Settings::resent_admin, 0, 0, "COUNTED|PROCESSED"},
    ConfigurationKey<Settings>{"sequence_reset_rule", &Settings::sequence_reset_rule, 0, 0,
                               "STANDARD|NEW_NUMBER"},
    ConfigurationKey<Settings>{"gap_request", &Settings::gap_request, 0, 0,
                               "UNTIL_CLOSED|WHEN_SEEN"},
    ConfigurationKey<Settings>{"resend_range", &Settings::resend_range, 0, 0, "CHECKED|CUT"},
    ConfigurationKey<Settings>{"too_low_logout", &Settings::too_low_logout, 0, 0,
                               "AS_FAULT|CLOSE_AT_ONCE"},
    ConfigurationKey<Settings>{"faulty_logout", &Settings::faulty_logout, 0, 0, "FAULT|ANSWERED"},
    ConfigurationKey<Settings>{"logout_answer", &Settings::logout_answer, 0, 0,
                               "AWAIT_CLOSE|CLOSE_AT_ONCE"},
    ConfigurationKey<Settings>{"repeated_logon", &Settings::repeated_logon, 0, 0, "LOGOUT|CLOSE"},
    ConfigurationKey<Settings>{"faulty_logon", &Settings::faulty_logon, 0, 0, "LOGOUT|CLOSE"},
    ConfigurationKey<Settings>{"heartbeat_in_test", &Settings::heartbeat_in_test, 0, 0,
                               "SENT|WITHHELD"},
    ConfigurationKey<Settings>{"test_request_after", &Settings::test_request_after, 0, 0,
                               "SILENCE|TWO_HEARTBEATS"},
};

/// What follows from the word that is not the standard's.
struct Other {
  std::string Settings::* member;
  std::string_view word;
  void (*choose)(Practice& practice) noexcept;
};

template <auto Member, auto Value>
void choose(Practice& practice) noexcept {
  practice.*Member = Value;
}

constexpr std::array other_table{
    Other{&Settings::malformed_fields, "GARBLED",
          choose<&Practice::malformed_field, session::MalformedField::Garbled>},
    Other{&Settings::check_sum_form, "NUMBER",
          choose<&Practice::check_sum_form, session::CheckSumForm::Number>},
    Other{&Settings::field_order, "ASCENDING",
          choose<&Practice::field_order, session::FieldOrder::Ascending>},
    Other{&Settings::reject_tag, "FIELD_FAULT",
          choose<&Practice::reject_tag, session::RejectTag::FieldFault>},
    Other{&Settings::reject_text, "SHORT",
          choose<&Practice::reject_text, session::RejectText::Short>},
    Other{&Settings::reject_route, "REVERSED",
          choose<&Practice::reject_route, session::RejectRoute::Reversed>},
    Other{&Settings::faulty_reject, "REJECTED",
          choose<&Practice::faulty_reject, session::FaultyReject::Rejected>},
    Other{&Settings::fault_logout_text, "NOT_AFTER_REJECT",
          choose<&Practice::logout_text, session::LogoutText::NotAfterReject>},
    Other{&Settings::appl_ver_id_answer, "PEER",
          choose<&Practice::appl_ver_id_answer, session::ApplVerIdAnswer::Peer>},
    Other{&Settings::business_reject_version, "INCLUDE",
          choose<&Practice::business_reject_version, session::BusinessRejectVersion::Include>},
    Other{&Settings::test_request_id, "FIXED",
          choose<&Practice::test_request_id, session::TestRequestId::Fixed>},
    Other{&Settings::zero_number, "TOO_LOW",
          choose<&Practice::zero_number, session::ZeroNumber::TooLow>},
    Other{&Settings::rejected_admin, "NOT_COUNTED",
          choose<&Practice::rejected_admin, session::RejectedAdmin::NotCounted>},
    Other{&Settings::resend_request_number, "ANY",
          choose<&Practice::resend_request_number, session::ResendRequestNumber::Any>},
    Other{&Settings::early_test_request, "HELD",
          choose<&Practice::early_test_request, session::EarlyTestRequest::Held>},
    Other{&Settings::early_reject, "COUNTED",
          choose<&Practice::early_reject, session::EarlyReject::Counted>},
    Other{&Settings::duplicate_check, "WHEN_TOO_LOW",
          choose<&Practice::duplicate_check, session::DuplicateCheck::WhenTooLow>},
    Other{&Settings::resent_admin, "PROCESSED",
          choose<&Practice::resent_admin, session::ResentAdmin::Processed>},
    Other{&Settings::sequence_reset_rule, "NEW_NUMBER",
          choose<&Practice::sequence_reset_rule, session::SequenceResetRule::NewNumber>},
    Other{&Settings::gap_request, "WHEN_SEEN",
          choose<&Practice::gap_request, session::GapRequest::WhenSeen>},
    Other{&Settings::resend_range, "CUT",
          choose<&Practice::resend_range, session::ResendRange::Cut>},
    Other{&Settings::too_low_logout, "CLOSE_AT_ONCE",
          choose<&Practice::too_low_logout, session::TooLowLogout::CloseAtOnce>},
    Other{&Settings::faulty_logout, "ANSWERED",
          choose<&Practice::faulty_logout, session::FaultyLogout::Answered>},
    Other{&Settings::logout_answer, "CLOSE_AT_ONCE",
          choose<&Practice::logout_answer, session::LogoutAnswer::CloseAtOnce>},
    Other{&Settings::repeated_logon, "CLOSE",
          choose<&Practice::repeated_logon, session::RepeatedLogon::Close>},
    Other{&Settings::faulty_logon, "CLOSE",
          choose<&Practice::faulty_logon, session::FaultyLogon::Close>},
    Other{&Settings::heartbeat_in_test, "WITHHELD",
          choose<&Practice::heartbeat_in_test, session::HeartbeatInTest::Withheld>},
    Other{&Settings::test_request_after, "TWO_HEARTBEATS",
          choose<&Practice::test_request_after, session::TestRequestAfter::TwoHeartbeats>},
};
static_assert(key_table.size() == other_table.size());

}  // namespace

std::span<const ConfigurationKey<PracticeSettings>> practice_keys() noexcept {
  return key_table;
}

session::Practice practice_of(const PracticeSettings& settings) noexcept {
  Practice practice;
  for (const Other& other : other_table) {
    if (settings.*other.member == other.word) {
      other.choose(practice);
    }
  }
  return practice;
}

}  // namespace affix::inline v0::engine
