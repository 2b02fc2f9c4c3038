// SPDX-License-Identifier: MIT
// Settings for the rules in which counterparties differ from the standard, as words of the
// configuration file; docs/reference/configuration.md gives their meaning.
#pragma once

#include <string>

namespace affix::inline v0::config {

/// One word for each member of session::Practice; the defaults are the standard's behaviour.
struct PracticeSettings {
  std::string malformed_fields = "REJECT";
  std::string check_sum_form = "THREE_DIGITS";
  std::string field_order = "CUSTOMARY";
  std::string reject_tag = "ALWAYS";
  std::string reject_text = "SPECIFICATION";
  std::string reject_route = "NONE";
  std::string faulty_reject = "UNANSWERED";
  std::string fault_logout_text = "ALWAYS";
  std::string appl_ver_id_answer = "OWN";
  std::string business_reject_version = "OMIT";
  std::string test_request_id = "COUNTED";
  std::string zero_number = "FAULT";
  std::string rejected_admin = "COUNTED";
  std::string resend_request_number = "IN_SEQUENCE";
  std::string early_test_request = "ANSWERED";
  std::string early_reject = "HELD";
  std::string duplicate_check = "ALWAYS";
  std::string resent_admin = "COUNTED";
  std::string sequence_reset_rule = "STANDARD";
  std::string gap_request = "UNTIL_CLOSED";
  std::string resend_range = "CHECKED";
  std::string next_expected_rule = "EXACT";
  std::string too_low_logout = "AS_FAULT";
  std::string faulty_logout = "FAULT";
  std::string logout_answer = "AWAIT_CLOSE";
  std::string repeated_logon = "LOGOUT";
  std::string faulty_logon = "LOGOUT";
  std::string heartbeat_in_test = "SENT";
  std::string test_request_after = "SILENCE";

  friend bool operator==(const PracticeSettings&, const PracticeSettings&) = default;
};

}  // namespace affix::inline v0::config
