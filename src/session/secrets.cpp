// SPDX-License-Identifier: MIT
// Copies of Logons for the journal, with the values of secret fields overwritten and the checksum
// made right again.

#include "affix/wire/checksum.hpp"

#include "session/tags.hpp"
#include "session/turn.hpp"

#include <array>
#include <cstring>

namespace affix::inline v0::session {

namespace {

constexpr std::array<std::uint32_t, 5> secret_tags{tag::password, tag::new_password, tag::raw_data,
                                                   tag::encrypted_password,
                                                   tag::encrypted_new_password};

/// Secret fields of the Logons we send, as they begin in the text.
constexpr std::array<std::string_view, 2> secret_beginnings{
    "\x01"
    "554=",
    "\x01"
    "925="};

constexpr std::size_t trailer_size = 7;  // `10=123` and SOH.

void correct_checksum(std::span<char> message) noexcept {
  const std::size_t size = message.size() - trailer_size;
  const std::uint32_t sum = wire::checksum({message.data(), size});
  char* const digits = message.data() + size + 3;
  digits[0] = static_cast<char>('0' + sum / 100);
  digits[1] = static_cast<char>('0' + sum / 10 % 10);
  digits[2] = static_cast<char>('0' + sum % 10);
}

}  // namespace

std::string_view copy_without_secrets(const wire::MessageView& message,
                                      std::span<char> copy) noexcept {
  const std::string_view bytes = message.bytes();
  if (bytes.size() > copy.size() || !message.index().whole()) {
    return {};
  }
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  for (const std::uint32_t secret : secret_tags) {
    for (std::uint32_t at = message.position_of(secret); at != wire::no_position;
         at = message.position_of(secret, at + 1)) {
      std::memset(copy.data() + message.index().begins[at], '*', message.value_at(at).size());
    }
  }
  correct_checksum(copy.first(bytes.size()));
  return {copy.data(), bytes.size()};
}

std::string_view copy_without_secrets(std::string_view message, std::span<char> copy) noexcept {
  if (message.size() > copy.size()) {
    return {};
  }
  std::memcpy(copy.data(), message.data(), message.size());
  for (const std::string_view beginning : secret_beginnings) {
    const std::size_t found = message.find(beginning);
    if (found != std::string_view::npos) {
      const std::size_t begin = found + beginning.size();
      std::memset(copy.data() + begin, '*', message.find(wire::soh, begin) - begin);
    }
  }
  correct_checksum(copy.first(message.size()));
  return {copy.data(), message.size()};
}

}  // namespace affix::inline v0::session
