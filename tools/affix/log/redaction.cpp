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
    }
  }
}

}  // namespace

std::string_view Redaction::message(std::string_view bytes, wire::FieldIndex& index) {
  const wire::MessageView view(bytes, index);
  if (!session::holds_secret(view, further_)) {
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
  copy_.assign(bytes);
  for (const wire::Field field : view) {
    const bool always = field.tag == wire::credential_data_tag ||
                        std::find(wire::secret_tags.begin(), wire::secret_tags.end(), field.tag) !=
                            wire::secret_tags.end();
    if (always || std::find(further_.begin(), further_.end(), field.tag) != further_.end()) {
      const auto begin =
          copy_.begin() + static_cast<std::ptrdiff_t>(field.value.data() - bytes.data());
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(field.value.size()), '*');
    }
  }
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
