// SPDX-License-Identifier: MIT
// Finds a key's row, and reads or sets its member.
#include "affix/config/words.hpp"

#include "config/key_tables.hpp"

#include <variant>

namespace affix::inline v0::config {

namespace {

template <typename Settings>
bool choose_word(Settings& settings, std::string_view name, std::string_view word) {
  bool chosen = false;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member);
      if (key.name != name || choice == nullptr) {
        continue;
      }
      if (const auto place = base::place_of_choice(key.allowed, word)) {
        choice->choose(settings, *place);
        chosen = true;
      }
    }
  });
  return chosen;
}

}  // namespace

std::string value_of(const EngineSettings& settings, std::string_view key) {
  return value_text(key, settings);
}

std::string value_of(const InstanceSettings& settings, std::string_view key) {
  return value_text(key, settings);
}

std::string value_of(const SessionSettings& settings, std::string_view key) {
  return value_text(key, settings);
}

std::string value_of(const ApplicationSettings& settings, std::string_view key) {
  return value_text(key, settings);
}

bool choose(EngineSettings& settings, std::string_view key, std::string_view word) {
  return choose_word(settings, key, word);
}

bool choose(InstanceSettings& settings, std::string_view key, std::string_view word) {
  return choose_word(settings, key, word);
}

bool choose(SessionSettings& settings, std::string_view key, std::string_view word) {
  return choose_word(settings, key, word);
}

bool choose(FailoverSettings& settings, std::string_view key, std::string_view word) {
  return choose_word(settings, key, word);
}

}  // namespace affix::inline v0::config
