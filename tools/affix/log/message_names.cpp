// SPDX-License-Identifier: MIT
// Selects the dictionaries for a message.
#include "log/message_names.hpp"

#include "affix/dictionary/load.hpp"

#include <utility>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::uint32_t begin_string_tag = 8;
constexpr std::uint32_t msg_type_tag = 35;
constexpr std::uint32_t appl_ver_id_tag = 1128;
constexpr std::uint32_t default_appl_ver_id_tag = 1137;

}  // namespace

template <typename Ask>
std::string_view MessageNames::first_of(Ask ask) const {
  for (const affix::dictionary::Dictionary& each : own_) {
    if (const std::string_view found = ask(each); !found.empty()) {
      return found;
    }
  }
  for (const affix::dictionary::Dictionary* const each : {session_, application_}) {
    if (const std::string_view found = each != nullptr ? ask(*each) : ""; !found.empty()) {
      return found;
    }
  }
  return {};
}

void MessageNames::turn_to(const wire::MessageView& message, const std::string& session) {
  const std::string_view begin_string = message.find(begin_string_tag).value_or("");
  session_ = dictionaries_.find(dictionary::file_of_begin_string(begin_string));
  application_ = nullptr;
  if (begin_string.starts_with("FIXT")) {
    std::string& file = application_files_.try_emplace(session, "FIX50SP2.xml").first->second;
    if (const auto version = message.find(default_appl_ver_id_tag);
        version && !dictionary::file_of_appl_ver_id(*version).empty()) {
      file = dictionary::file_of_appl_ver_id(*version);
    }
    const auto own = message.find(appl_ver_id_tag);
    application_ = dictionaries_.find(own ? dictionary::file_of_appl_ver_id(*own) : file);
  }
  const std::string_view type = message.find(msg_type_tag).value_or("");
  type_ = first_of([type](const affix::dictionary::Dictionary& each) -> std::string_view {
    const auto* const found = each.find_message_by_type(type);
    return found != nullptr ? std::string_view(found->name) : std::string_view();
  });
}

bool MessageNames::add_dictionary(const std::string& path) {
  affix::dictionary::Loaded loaded = affix::dictionary::load(path);
  if (!loaded) {
    own_problems_.push_back(affix::dictionary::make_error(loaded.problems, path).text());
    return false;
  }
  own_.push_back(std::move(*loaded.dictionary));
  return true;
}

std::vector<const affix::dictionary::Dictionary*> MessageNames::dictionaries() const {
  std::vector<const affix::dictionary::Dictionary*> all;
  for (const affix::dictionary::Dictionary& each : own_) {
    all.push_back(&each);
  }
  for (const affix::dictionary::Dictionary* const each : {session_, application_}) {
    if (each != nullptr) {
      all.push_back(each);
    }
  }
  return all;
}

std::vector<std::string> MessageNames::problems() const {
  std::vector<std::string> all = own_problems_;
  all.insert(all.end(), dictionaries_.problems().begin(), dictionaries_.problems().end());
  return all;
}

std::string_view MessageNames::field(std::uint32_t tag) const noexcept {
  return first_of([tag](const affix::dictionary::Dictionary& each) -> std::string_view {
    const auto* const found = each.find_field(tag);
    return found != nullptr ? std::string_view(found->name) : std::string_view();
  });
}

std::string_view MessageNames::value(std::uint32_t tag, std::string_view code) const noexcept {
  if (tag == msg_type_tag) {
    return type_;
  }
  return first_of([tag, code](const affix::dictionary::Dictionary& each) -> std::string_view {
    return each.value_name(tag, code);
  });
}

}  // namespace affix::inline v0::tools::log
