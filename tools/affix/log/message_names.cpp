// SPDX-License-Identifier: MIT
// Which dictionaries a message is read with.
#include "log/message_names.hpp"

namespace affix::inline v0::tools::log {

namespace {

constexpr std::uint32_t begin_string_tag = 8;
constexpr std::uint32_t msg_type_tag = 35;
constexpr std::uint32_t appl_ver_id_tag = 1128;
constexpr std::uint32_t default_appl_ver_id_tag = 1137;

}  // namespace

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
  type_ = {};
  for (const affix::dictionary::Dictionary* const each : {session_, application_}) {
    const auto* const found = each != nullptr ? each->find_message_by_type(type) : nullptr;
    if (found != nullptr) {
      type_ = found->name;
      return;
    }
  }
}

std::string_view MessageNames::field(std::uint32_t tag) const noexcept {
  for (const affix::dictionary::Dictionary* const each : {session_, application_}) {
    const auto* const found = each != nullptr ? each->find_field(tag) : nullptr;
    if (found != nullptr) {
      return found->name;
    }
  }
  return {};
}

std::string_view MessageNames::value(std::uint32_t tag, std::string_view code) const noexcept {
  if (tag == msg_type_tag) {
    return type_;
  }
  for (const affix::dictionary::Dictionary* const each : {session_, application_}) {
    const std::string_view found = each != nullptr ? each->value_name(tag, code) : "";
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

}  // namespace affix::inline v0::tools::log
