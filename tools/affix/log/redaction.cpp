// SPDX-License-Identifier: MIT
// Uses the session's redaction for whole messages; searches other texts for the tags.
#include "log/redaction.hpp"

#include "affix/base/text.hpp"
#include "affix/session/secrets.hpp"
#include "affix/wire/secret_tags.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>

namespace affix::inline v0::tools::log {

namespace {

/// Where the value of the next field with this tag begins, at or after `at`; npos: nowhere.
std::size_t find_value(std::string_view text, const std::string& tag, std::size_t at) noexcept {
  const std::string field = tag + '=';
  while ((at = text.find(field, at)) != std::string_view::npos) {
    const bool is_tag = at == 0 || !base::is_digit(text[at - 1]);
    at += field.size();
    if (is_tag) {
      break;
    }
  }
  return at;
}

/// Masks up to one of `ends`: nothing else shows where a value ends, which may contain blanks.
void cover(std::string& text, std::uint32_t tag, std::string_view ends) {
  const std::string number = std::to_string(tag);
  for (std::size_t at = 0; (at = find_value(text, number, at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
    if (end != at) {
      text.replace(at, end - at, wire::secret_mask);  // Fixed length, whatever it replaces.
      at += wire::secret_mask.size();
    }
  }
}

constexpr std::string_view value_ends = "\x01|\n\r";
constexpr std::string_view line_ends = "\n\r";

/// True if the text quotes a message of a type of carries_credentials().
bool quotes_credentials(std::string_view text) {
  for (std::size_t at = 0; (at = find_value(text, "35", at)) != std::string_view::npos;) {
    std::size_t end = at;
    while (end < text.size() && base::is_letter(text[end])) {
      ++end;
    }
    if (wire::carries_credentials(wire::MsgType(text.substr(at, end - at)))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view Redaction::message(std::string_view bytes, wire::FieldIndex& index) {
  const wire::MessageView view(bytes, index);
  const bool garbled_data = !index.whole() && view.has(wire::credential_data_tag);
  if (!session::holds_secret(view, further_) && !garbled_data) {
    return bytes;
  }
  if (index.whole()) {
    copy_.resize(bytes.size());
    const std::string_view copy =
        session::copy_without_secrets(view, {copy_.data(), copy_.size()}, further_);
    if (!copy.empty()) {
      wire::index_message(copy, index);
      return copy;
    }
  }
  // Garbled: correcting its checksum is pointless.
  copy_.clear();
  std::size_t copied = 0;
  for (const wire::Field field : view) {
    const bool secret = wire::is_secret_tag(field.tag, view.type()) ||
                        field.tag == wire::credential_data_tag ||
                        std::find(further_.begin(), further_.end(), field.tag) != further_.end();
    if (secret && !field.value.empty()) {
      const auto begin = static_cast<std::size_t>(field.value.data() - bytes.data());
      copy_.append(bytes.substr(copied, begin - copied)).append(wire::secret_mask);
      copied = begin + field.value.size();
    }
  }
  copy_.append(bytes.substr(copied));
  wire::index_message(copy_, index);
  return copy_;
}

std::string_view Redaction::text(std::string_view text) {
  copy_.assign(text);
  for (const std::uint32_t tag : wire::secret_tags) {
    cover(copy_, tag, value_ends);
  }
  for (const std::uint32_t tag : further_) {
    cover(copy_, tag, value_ends);
  }
  if (quotes_credentials(text)) {
    // Raw data may contain separators.
    cover(copy_, wire::credential_data_tag, line_ends);
  }
  return copy_;
}

}  // namespace affix::inline v0::tools::log
