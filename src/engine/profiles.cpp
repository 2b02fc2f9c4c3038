// SPDX-License-Identifier: MIT
// The profiles of session groups: what each presets, in the words of the configuration file.
#include "affix/base/assert.hpp"
#include "affix/engine/configuration.hpp"

#include "engine/configuration_keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

namespace {

struct Preset {
  std::string_view key;
  std::string_view value;
};

/// What counterparties built on QuickFIX expect; docs/reference/session-profiles.md says why.
constexpr std::array quickfix_presets{
    Preset{"profile", "quickfix"},
    Preset{"timestamp_subseconds_precision", "MILLI"},
    Preset{"logon_timeout_seconds", "10"},
    Preset{"logout_timeout_seconds", "2"},
    Preset{"skipped_in_resend", "AWAIT_EXPIRY"},
    Preset{"resend_repeats_max", "0"},
    Preset{"validation_place", "BEFORE_NUMBER"},
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

/// Sessions that go round the clock.
constexpr std::array round_the_clock_presets{
    Preset{"profile", "24x7"},
    Preset{"logon_include_next_expected_seq_no", "true"},
    Preset{"reset_start", "IN_SYNC"},
    Preset{"mid_session_reset", "ACCEPT_IN_SYNC"},
};

struct Profile {
  std::string_view name;
  std::span<const Preset> presets;
};

constexpr std::array profiles{
    Profile{"standard", {}},
    Profile{"quickfix", quickfix_presets},
    Profile{"cme", cme_presets},
    Profile{"24x7", round_the_clock_presets},
};

void set(SessionSettings& settings, const Preset& preset) {
  const auto keys = session_keys();
  const auto key = std::find_if(
      keys.begin(), keys.end(),
      [&](const ConfigurationKey<SessionSettings>& one) { return one.name == preset.key; });
  AFFIX_ASSERT(key != keys.end());
  if (const auto* flag = std::get_if<bool SessionSettings::*>(&key->member)) {
    settings.*(*flag) = preset.value == "true";
  } else if (const auto* number = std::get_if<std::int64_t SessionSettings::*>(&key->member)) {
    std::from_chars(preset.value.data(), preset.value.data() + preset.value.size(),
                    settings.*(*number));
  } else {
    settings.*std::get<std::string SessionSettings::*>(key->member) = preset.value;
  }
}

}  // namespace

std::optional<SessionSettings> settings_of_profile(std::string_view profile) {
  for (const Profile& candidate : profiles) {
    if (candidate.name == profile) {
      SessionSettings settings;
      for (const Preset& preset : candidate.presets) {
        set(settings, preset);
      }
      return settings;
    }
  }
  return std::nullopt;
}

}  // namespace affix::inline v0::engine
