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
    Preset{"validation_place", "BEFORE_NUMBER"},
};

struct Profile {
  std::string_view name;
  std::span<const Preset> presets;
};

constexpr std::array profiles{
    Profile{"standard", {}},
    Profile{"quickfix", quickfix_presets},
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
