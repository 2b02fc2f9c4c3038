// SPDX-License-Identifier: MIT
// Copies of messages for the journal, with the values of secret fields overwritten and the checksum
// made right again.

#include "affix/session/secrets.hpp"

#include "affix/wire/checksum.hpp"
#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace affix::inline v0::session {

namespace {

constexpr std::array<std::uint32_t, 5> secret_tags{tag::password, tag::new_password, tag::raw_data,
                                                   tag::encrypted_password,
                                                   tag::encrypted_new_password};

constexpr std::size_t trailer_size = 7;  // `10=123` and SOH.

void correct_checksum(std::span<char> message) noexcept {
  const std::size_t size = message.size() - trailer_size;
  const std::uint32_t sum = wire::checksum({message.data(), size});
  char* const digits = message.data() + size + 3;
  digits[0] = static_cast<char>('0' + sum / 100);
  digits[1] = static_cast<char>('0' + sum / 10 % 10);
  digits[2] = static_cast<char>('0' + sum % 10);
}

bool contains(SecretTags tags, std::uint32_t number) noexcept {
  return std::find(tags.begin(), tags.end(), number) != tags.end();
}

/// Calls `found(position)` for every secret field.
template <typename Found>
void each_secret(const wire::MessageView& message, SecretTags further, Found found) noexcept {
  const auto look_for = [&](std::uint32_t secret) {
    for (std::uint32_t at = message.position_of(secret); at != wire::no_position;
         at = message.position_of(secret, at + 1)) {
      found(at);
    }
  };
  if (is_secret_type(message.type())) {
    std::for_each(secret_tags.begin(), secret_tags.end(), look_for);
  }
  std::for_each(further.begin(), further.end(), look_for);
}

/// A field of a text without an index, and what follows it.
struct Piece {
  std::uint32_t tag = 0;  ///< 0: it has none.
  std::size_t value_begin = 0;
  std::size_t value_end = 0;
};

/// The field that begins at `begin`, up to the next SOH.
Piece read_piece(std::string_view message, std::size_t begin) noexcept {
  const std::size_t soh_at = std::min(message.find(wire::soh, begin), message.size());
  const std::size_t equals = message.find('=', begin);
  if (equals == std::string_view::npos || equals > soh_at) {
    return {0, begin, soh_at};
  }
  const auto number = wire::parse_integer<std::uint32_t>(message.substr(begin, equals - begin));
  return {number.value_or(0), equals + 1, soh_at};
}

/// A data field ends where its length says, SOH or not before that.
void extend(Piece& data, std::string_view message, std::size_t size) noexcept {
  if (size < message.size() - data.value_begin && message[data.value_begin + size] == wire::soh) {
    data.value_end = data.value_begin + size;
  }
}

}  // namespace

bool holds_secret(const wire::MessageView& message, SecretTags further) noexcept {
  bool any = false;
  each_secret(message, further, [&any](std::uint32_t) { any = true; });
  return any;
}

std::string_view copy_without_secrets(const wire::MessageView& message, std::span<char> copy,
                                      SecretTags further) noexcept {
  const std::string_view bytes = message.bytes();
  if (bytes.size() > copy.size() || !message.index().whole()) {
    return {};
  }
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  each_secret(message, further, [&](std::uint32_t at) {
    std::memset(copy.data() + message.index().begins[at], '*', message.value_at(at).size());
  });
  correct_checksum(copy.first(bytes.size()));
  return {copy.data(), bytes.size()};
}

std::string_view copy_without_secrets(std::string_view message, std::span<char> copy,
                                      SecretTags further,
                                      const wire::DataFields& data_fields) noexcept {
  if (message.size() > copy.size() || message.size() <= trailer_size) {
    return {};
  }
  std::memcpy(copy.data(), message.data(), message.size());
  SecretTags always;
  std::uint32_t data_tag = 0;  // Of the data field that must follow, and its size.
  std::size_t data_size = 0;
  for (std::size_t at = 0; at < message.size() - trailer_size;) {
    Piece piece = read_piece(message, at);
    if (data_tag != 0 && piece.tag == data_tag) {
      extend(piece, message, data_size);
    }
    const std::string_view value =
        message.substr(piece.value_begin, piece.value_end - piece.value_begin);
    if (piece.tag == tag::msg_type && is_secret_type(value)) {
      always = secret_tags;
    }
    if (contains(always, piece.tag) || contains(further, piece.tag)) {
      std::memset(copy.data() + piece.value_begin, '*', value.size());
    }
    const auto size = wire::parse_integer<std::size_t>(value);
    data_tag = piece.tag != 0 && size ? data_fields.data_tag_of(piece.tag) : 0;
    data_size = size.value_or(0);
    at = piece.value_end + 1;
  }
  correct_checksum(copy.first(message.size()));
  return {copy.data(), message.size()};
}

}  // namespace affix::inline v0::session
