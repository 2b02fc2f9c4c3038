// SPDX-License-Identifier: MIT
// Looks names up in the dictionaries of a version.
#include "certify/names.hpp"

#include "affix/dictionary/load.hpp"

#include "certify/text.hpp"

namespace affix::inline v0::certify {

namespace {

constexpr std::uint32_t msg_type_tag = 35;

/// Without case and `_`, in which the versions' dictionaries differ: PARTIALLY_FILLED and
/// PartiallyFilled.
bool same_name(std::string_view left, std::string_view right) {
  const auto next = [](std::string_view& text) {
    while (text.starts_with('_')) {
      text.remove_prefix(1);
    }
    if (text.empty()) {
      return '\0';
    }
    const char character = text.front();
    text.remove_prefix(1);
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character + ('a' - 'A'))
                                                : character;
  };
  for (;;) {
    const char one = next(left);
    if (one != next(right)) {
      return false;
    }
    if (one == '\0') {
      return true;
    }
  }
}

std::string named(std::string_view name, std::string_view code) {
  return name.empty() ? std::string(code) : std::string(name) + " (" + std::string(code) + ")";
}

}  // namespace

void VersionNames::Read::add(const std::string& path) {
  dictionary::Loaded loaded = dictionary::load(path);
  if (!loaded) {
    problem += dictionary::make_error(loaded.problems, path).text();
    return;
  }
  (dictionaries[0] ? dictionaries[1] : dictionaries[0]) = std::move(loaded.dictionary);
}

const VersionNames::Read& VersionNames::read() const {
  std::call_once(once_, [this] {
    read_.add(directory_ + "/" + std::string(version_.dictionary));
    if (version_.is_fixt()) {
      read_.add(directory_ + "/FIXT11.xml");
    }
  });
  return read_;
}

const std::string& VersionNames::problem() const {
  return read().problem;
}

const dictionary::Field* VersionNames::find(std::uint32_t tag) const {
  for (const auto& each : read().dictionaries) {
    const dictionary::Field* const found = each ? each->find_field(tag) : nullptr;
    if (found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

std::optional<std::uint32_t> VersionNames::tag(std::string_view name) const {
  for (const auto& each : read().dictionaries) {
    const dictionary::Field* const found = each ? each->find_field(name) : nullptr;
    if (found != nullptr) {
      return found->tag;
    }
  }
  return std::nullopt;
}

std::string_view VersionNames::type(std::string_view name) const {
  for (const auto& each : read().dictionaries) {
    const dictionary::Message* const found = each ? each->find_message(name) : nullptr;
    if (found != nullptr) {
      return found->type;
    }
  }
  return {};
}

std::string VersionNames::field(std::string_view tag) const {
  const auto number = number_in(tag);
  const dictionary::Field* const found =
      number ? find(static_cast<std::uint32_t>(*number)) : nullptr;
  return named(found != nullptr ? std::string_view(found->name) : std::string_view(), tag);
}

std::string VersionNames::message(std::string_view type) const {
  for (const auto& each : read().dictionaries) {
    const dictionary::Message* const found = each ? each->find_message_by_type(type) : nullptr;
    if (found != nullptr) {
      return named(found->name, type);
    }
  }
  return std::string(type);
}

std::string VersionNames::value(std::string_view tag, std::string_view code) const {
  if (tag == "35") {
    return message(code);
  }
  const auto number = number_in(tag);
  std::string_view name;
  for (const auto& each : read().dictionaries) {
    if (number && each && name.empty()) {
      name = each->value_name(static_cast<std::uint32_t>(*number), code);
    }
  }
  return named(name, code);
}

std::string_view VersionNames::code(std::uint32_t tag, std::string_view name) const {
  if (tag == msg_type_tag && !type(name).empty()) {
    return type(name);
  }
  if (const dictionary::Field* const field = find(tag)) {
    for (const dictionary::Value& value : field->values) {
      if (value.code == name) {
        return value.code;
      }
    }
    for (const dictionary::Value& value : field->values) {
      if (same_name(value.name, name)) {
        return value.code;
      }
    }
  }
  return name;
}

bool VersionNames::is_numeric(std::uint32_t tag) const {
  const dictionary::Field* const field = find(tag);
  return field != nullptr && field->type <= dictionary::FieldType::Percentage;
}

bool VersionNames::is_counter(std::uint32_t tag) const {
  const dictionary::Field* const field = find(tag);
  return field != nullptr && field->type == dictionary::FieldType::NumInGroup;
}

Names::Names(const std::string& directory) {
  for (std::size_t at = 0; at < version_count; ++at) {
    versions_[at] = std::make_unique<VersionNames>(directory, all_versions()[at]);
  }
}

const VersionNames& Names::of(const Version& version) const {
  return *versions_[static_cast<std::size_t>(&version - all_versions().data())];
}

}  // namespace affix::inline v0::certify
