// SPDX-License-Identifier: MIT
// Characters and parts of texts that people write; ASCII, independent of the locale. Nothing here
// allocates unless it returns a string.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace affix::inline v0::base {

/// True for `0` to `9`.
[[nodiscard]] constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// True for a letter of either case.
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True for a name that can be part of a path and of a key: 1 to `bytes_max` letters, digits, `-`,
/// `_` and `.`, the first a letter or a digit.
[[nodiscard]] constexpr bool is_path_part(std::string_view name, std::size_t bytes_max) noexcept {
  const auto is_plain = [](char c) { return is_letter(c) || is_digit(c); };
  return !name.empty() && name.size() <= bytes_max && is_plain(name.front()) &&
         std::ranges::all_of(
             name, [&](char c) { return is_plain(c) || c == '-' || c == '_' || c == '.'; });
}

/// A capital letter's small form; any other character itself.
[[nodiscard]] constexpr char lowered(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The text in small letters.
[[nodiscard]] inline std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lowered(c); });
  return result;
}

/// The text in capitals.
[[nodiscard]] inline std::string in_upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return result;
}

/// True if both are equal but for the case of letters.
[[nodiscard]] constexpr bool is_same_word(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, [](char a, char b) { return lowered(a) == lowered(b); });
}

/// Value of a hexadecimal digit in either case; -1 for any other character.
[[nodiscard]] constexpr int hexadecimal_value(char c) noexcept {
  if (is_digit(c)) {
    return c - '0';
  }
  const char small = lowered(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Without the blanks at both ends. A view of `text`.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text,
                                                 std::string_view blanks = " \t\r") noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Takes the part before the first `separator` off the front of `text`, and the separator with it;
/// without one, all of it. A view of the text.
[[nodiscard]] constexpr std::string_view take_part(std::string_view& text,
                                                   char separator) noexcept {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

/// The decimal number that is all of `text`; nullopt: it is none, or does not fit `T`. A minus is a
/// part of it if `T` is signed, a plus never.
template <typename T = std::int64_t>
[[nodiscard]] std::optional<T> parse_number(std::string_view text) noexcept {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [at, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc{} && at == end ? std::optional(number) : std::nullopt;
}

/// Bytes of the UTF-8 character at the front of `text`, which is not empty; 0: there is none.
/// Overlong forms, surrogates and numbers above U+10FFFF are none.
[[nodiscard]] constexpr std::size_t utf8_size(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned lead = byte(0);
  const std::size_t size = lead < 0x80                    ? 1
                           : lead >= 0xC2 && lead <= 0xDF ? 2
                           : lead >= 0xE0 && lead <= 0xEF ? 3
                           : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                          : 0;
  if (size <= 1 || size > text.size()) {
    return size == 1 ? 1 : 0;
  }
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xC0U) != 0x80) {
      return 0;
    }
  }
  const unsigned second = byte(1);
  const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return wrong ? 0 : size;
}

/// True if the text is UTF-8 throughout.
[[nodiscard]] constexpr bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    if (size == 0) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace affix::inline v0::base
