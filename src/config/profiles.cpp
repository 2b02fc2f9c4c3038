// SPDX-License-Identifier: MIT
// Profiles of session groups: their presets, in the words of the configuration file.
#include "affix/base/assert.hpp"
#include "affix/config/configuration.hpp"
#include "affix/config/words.hpp"

#include "config/key_tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::config {

namespace {

struct Preset {
  std::string_view key;
  std::string_view value;
};

/// Practices of counterparties built on QuickFIX; docs/reference/session-profiles.md has reasons.
constexpr std::array quickfix_presets{
    Preset{"profile", "quickfix"},
    Preset{"timestamp_subseconds_precision", "MILLI"},
    Preset{"logon_timeout_seconds", "10"},
    Preset{"logout_timeout_seconds", "2"},
    Preset{"skipped_in_resend", "AWAIT_EXPIRY"},
    Preset{"resend_repeats_max", "0"},
    Preset{"test_answer", "FIRST_MESSAGE"},
    Preset{"max_resend_range", "0"},
    Preset{"validation_place", "BEFORE_NUMBER"},
    Preset{"validation_order", "QUICKFIX"},
    Preset{"validation_preset", "QUICKFIX"},
    Preset{"malformed_fields", "GARBLED"},
    Preset{"check_sum_form", "NUMBER"},
    Preset{"field_order", "ASCENDING"},
    Preset{"reject_tag", "FIELD_FAULT"},
    Preset{"reject_text", "SHORT"},
    Preset{"reject_route", "REVERSED"},
    Preset{"faulty_reject", "REJECTED"},
    Preset{"fault_logout_text", "NOT_AFTER_REJECT"},
    Preset{"appl_ver_id_answer", "PEER"},
    Preset{"business_reject_version", "INCLUDE"},
    Preset{"test_request_id", "FIXED"},
    Preset{"zero_number", "TOO_LOW"},
    Preset{"rejected_admin", "NOT_COUNTED"},
    Preset{"resend_request_number", "ANY"},
    Preset{"early_test_request", "HELD"},
    Preset{"early_reject", "COUNTED"},
    Preset{"duplicate_check", "WHEN_TOO_LOW"},
    Preset{"resent_admin", "PROCESSED"},
    Preset{"sequence_reset_rule", "NEW_NUMBER"},
    Preset{"gap_request", "WHEN_SEEN"},
    Preset{"resend_range", "CUT"},
    Preset{"too_low_logout", "CLOSE_AT_ONCE"},
    Preset{"faulty_logout", "ANSWERED"},
    Preset{"logout_answer", "CLOSE_AT_ONCE"},
    Preset{"repeated_logon", "CLOSE"},
    Preset{"faulty_logon", "CLOSE"},
    Preset{"heartbeat_in_test", "WITHHELD"},
};

/// The resend rules of CME Globex's FIX order entry.
constexpr std::array cme_presets{
    Preset{"profile", "cme"},
    Preset{"timestamp_subseconds_precision", "MILLI"},
    Preset{"heartbeat_interval_seconds_min", "30"},
    Preset{"heartbeat_interval_seconds_max", "60"},
    Preset{"max_resend_range", "2500"},
    Preset{"skipped_in_resend", "AWAIT_EXPIRY"},
    Preset{"repeated_resend_request", "DISCARDED"},
    Preset{"resend_policy",
           "D:GAP_FILL,F:GAP_FILL,G:GAP_FILL,AB:GAP_FILL,AC:GAP_FILL,CA:GAP_FILL,q:GAP_FILL,"
           "R:GAP_FILL,S:GAP_FILL,i:GAP_FILL,Z:GAP_FILL"},
};

/// Presets for sessions that never close.
constexpr std::array round_the_clock_presets{
    Preset{"profile", "24x7"},
    Preset{"logon_include_next_expected_seq_no", "true"},
    Preset{"reset_start", "IN_SYNC"},
    Preset{"mid_session_reset", "ACCEPT_IN_SYNC"},
};

std::span<const Preset> presets_of(Profile profile) noexcept {
  switch (profile) {
    case Profile::Standard:
      break;
    case Profile::Quickfix:
      return quickfix_presets;
    case Profile::Cme:
      return cme_presets;
    case Profile::RoundTheClock:
      return round_the_clock_presets;
  }
  return {};
}

/// False: the table has no such key.
template <typename Group>
bool set_one_of(std::span<const ConfigurationKey<Group>> keys, SessionSettings& settings,
                const Preset& preset) {
  const auto key = std::ranges::find(keys, preset.key, &ConfigurationKey<Group>::name);
  if (key == keys.end()) {
    return false;
  }
  if (const auto* flag = std::get_if<bool Group::*>(&key->member)) {
    settings.*(*flag) = preset.value == "true";
  } else if (const auto* number = std::get_if<std::int64_t Group::*>(&key->member)) {
    std::from_chars(preset.value.data(), preset.value.data() + preset.value.size(),
                    settings.*(*number));
  } else if (const auto* choice = std::get_if<ChoiceAccess<Group>>(&key->member)) {
    const auto place = base::place_of_choice(key->allowed, preset.value);
    AFFIX_ASSERT(place.has_value());
    choice->choose(settings, *place);
  } else {
    settings.*std::get<std::string Group::*>(key->member) = preset.value;
  }
  return true;
}

void set(SessionSettings& settings, const Preset& preset) {
  const bool known =
      set_one_of(session_keys(), settings, preset) || set_one_of(practice_keys(), settings, preset);
  AFFIX_ASSERT(known);
}

}  // namespace

SessionSettings settings_of_profile(Profile profile) {
  SessionSettings settings;
  for (const Preset& preset : presets_of(profile)) {
    set(settings, preset);
  }
  return settings;
}

std::optional<SessionSettings> settings_of_profile(std::string_view profile) {
  SessionSettings named;
  if (!choose(named, "profile", profile)) {
    return std::nullopt;
  }
  return settings_of_profile(named.profile);
}

}  // namespace affix::inline v0::config
