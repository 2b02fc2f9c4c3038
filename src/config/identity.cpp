// SPDX-License-Identifier: MIT
// Session identities as keys, texts and directory names.
#include "config/identity.hpp"

#include "affix/base/text.hpp"

#include <cstdint>
#include <utility>

namespace affix::inline v0::config {

namespace {

// A value cannot contain SOH, so joined values are unambiguous.
void append_part(std::string& key, std::string_view part) {
  key += part;
  key += wire::soh;
}

std::string side_text(std::string_view comp, std::string_view sub, std::string_view location) {
  std::string text(comp);
  if (!sub.empty() || !location.empty()) {
    text += '/';
    text += sub;
  }
  if (!location.empty()) {
    text += '/';
    text += location;
  }
  return text;
}

bool is_plain(char c) noexcept {
  return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '_';
}

// `+` and `-` are escaped inside the parts, so the joined name is unambiguous.
void append_side(std::string& name, std::string_view comp, std::string_view sub,
                 std::string_view location) {
  append_plain(name, comp);
  if (!sub.empty() || !location.empty()) {
    name += '+';
    append_plain(name, sub);
  }
  if (!location.empty()) {
    name += '+';
    append_plain(name, location);
  }
}

}  // namespace

void append_plain(std::string& name, std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_plain(c)) {
      name += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      name += '%';
      name += digits[byte >> 4];
      name += digits[byte & 15];
    }
  }
}

std::string identity_key(std::string_view begin_string, std::string_view sender,
                         std::string_view target) {
  std::string key;
  append_part(key, begin_string);
  append_part(key, sender);
  append_part(key, target);
  return key;
}

std::string identity_key(const SessionSettings& settings) {
  return identity_key(settings.begin_string, settings.sender_comp_id, settings.target_comp_id);
}

std::string identity_key(const wire::MessageView& message) {
  std::string key;
  for (const std::uint32_t tag : {8U, 56U, 49U}) {
    append_part(key, message.find(tag).value_or(std::string_view{}));
  }
  return key;
}

FinerIds finer_ids(const SessionSettings& settings) {
  return {settings.sender_sub_id, settings.sender_location_id, settings.target_sub_id,
          settings.target_location_id};
}

int identity_fit(const FinerIds& ids, const wire::MessageView& message) noexcept {
  const std::pair<std::uint32_t, std::string_view> parts[] = {{57, ids.sender_sub_id},
                                                              {143, ids.sender_location_id},
                                                              {50, ids.target_sub_id},
                                                              {142, ids.target_location_id}};
  int fit = 0;
  for (const auto& [tag, wanted] : parts) {
    if (wanted.empty()) {
      continue;
    }
    if (message.find(tag) != wanted) {
      return -1;
    }
    ++fit;
  }
  return fit;
}

std::string identity_text(const SessionSettings& settings) {
  return settings.begin_string + ":" +
         side_text(settings.sender_comp_id, settings.sender_sub_id, settings.sender_location_id) +
         "->" +
         side_text(settings.target_comp_id, settings.target_sub_id, settings.target_location_id);
}

std::string directory_name(const SessionSettings& settings) {
  std::string name;
  append_plain(name, settings.begin_string);
  name += '-';
  append_side(name, settings.sender_comp_id, settings.sender_sub_id, settings.sender_location_id);
  name += '-';
  append_side(name, settings.target_comp_id, settings.target_sub_id, settings.target_location_id);
  return name;
}

}  // namespace affix::inline v0::config
