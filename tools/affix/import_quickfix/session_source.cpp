// SPDX-License-Identifier: MIT
// Inheritance, and conversion of values.
#include "import_quickfix/session_source.hpp"

#include "affix/base/text.hpp"

#include "import_quickfix/known_settings.hpp"

#include <algorithm>

namespace affix::inline v0::tools::import_quickfix {

const Setting* SessionSource::find(std::string_view name) const {
  const Setting* setting = own_.find(name);
  if (setting == nullptr) {
    setting = defaults_.find(name);
  }
  if (setting == nullptr) {
    return nullptr;
  }
  ledger_.use(*setting);
  return setting->value.empty() ? nullptr : setting;
}

const Setting* SessionSource::find_first(std::initializer_list<std::string_view> names) const {
  const Setting* first = nullptr;
  for (const std::string_view name : names) {
    const Setting* const setting = find(name);
    first = first == nullptr ? setting : first;
  }
  return first;
}

std::optional<bool> SessionSource::flag(std::string_view name) const {
  const Setting* const setting = find(name);
  if (setting == nullptr) {
    return std::nullopt;
  }
  const std::string word = base::lowered(setting->value);
  if (word == "y" || word == "yes" || word == "true") {
    return true;
  }
  if (word != "n" && word != "no" && word != "false") {
    ledger_.problem(*setting, "neither Y nor N", "Q104");
  }
  return false;
}

std::optional<std::int64_t> SessionSource::number(std::string_view name, std::int64_t minimum,
                                                  std::int64_t maximum) const {
  const Setting* const setting = find(name);
  if (setting == nullptr) {
    return std::nullopt;
  }
  const auto value = base::parse_number(setting->value);
  if (!value) {
    ledger_.problem(*setting, "not a number", "Q104");
    return std::nullopt;
  }
  const std::int64_t taken = std::clamp(*value, minimum, maximum);
  if (taken != *value) {
    ledger_.note(NoteKind::Differs, *setting,
                 "the range here is " + std::to_string(minimum) + " to " + std::to_string(maximum) +
                     "; " + std::to_string(taken) + " is written",
                 "Q109");
  }
  return taken;
}

std::vector<const Setting*> SessionSource::all() const {
  std::vector<const Setting*> settings;
  for (const Setting& setting : own_.settings) {
    settings.push_back(&setting);
  }
  for (const Setting& setting : defaults_.settings) {
    if (own_.find(setting.name) == nullptr) {
      settings.push_back(&setting);
    }
  }
  return settings;
}

bool SessionSource::differs(const Setting& setting) const {
  const KnownSetting* const known = find_known(setting.name);
  return known != nullptr && ledger_.note(NoteKind::Differs, setting, known->note);
}

}  // namespace affix::inline v0::tools::import_quickfix
