// SPDX-License-Identifier: MIT
// Whole messages go through what the session uses; anything else is searched for the tags.
#include "log/redaction.hpp"

#include "affix/session/secrets.hpp"
#include "affix/wire/secret_tags.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>

namespace affix::inline v0::tools::log {

namespace {

bool ends_value(char c) noexcept {
  return c == wire::soh || c == '|' || c == '^' || c == ' ' || c == ',' || c == ';' || c == '<' ||
         c == '\\';
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

void cover(std::string& text, std::uint32_t tag) {
  const std::string field = std::to_string(tag) + '=';
  for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field, at)) {
    const bool is_tag = at == 0 || !is_digit(text[at - 1]);
    at += field.size();
    std::size_t end = at;
    while (is_tag && end < text.size() && !ends_value(text[end])) {
      ++end;
    }
    if (end != at) {
      text.replace(at, end - at, wire::secret_mask);  // One length, whatever it hides.
      at += wire::secret_mask.size();
    }
  }
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
  // Garbled: its checksum is not worth correcting.
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
    cover(copy_, tag);
  }
  for (const std::uint32_t tag : further_) {
    cover(copy_, tag);
  }
  return copy_;
}

}  // namespace affix::inline v0::tools::log
