// SPDX-License-Identifier: MIT
// Enums made from a dictionary's value lists: converts wire codes to enumerators and back.
// Single-character and numeric codes are the enum's values; longer codes are numbered consecutively
// and looked up in a constant table.
#pragma once

#include "affix/wire/convert.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::messages {

/// Result of a typed read: the value, or Missing, Empty, Format or Range.
template <typename T>
using Result = wire::Result<T>;

/// One entry of a value list. Static storage.
struct Code {
  const char* text;  ///< On the wire.
  const char* name;  ///< In the dictionary.
};

/// An enum's value list, ordered by length of code, then by code.
struct CodeSet {
  const Code* codes = nullptr;
  std::uint32_t count = 0;
  bool open = false;  ///< The dictionary also allows unlisted values.
};

/// An enum described by generated code, which declares `constexpr CodeSet code_set(E)` beside it.
/// Its underlying type defines its values: char is the code itself, std::int32_t the code's number,
/// std::uint16_t the index in the list.
template <typename E>
concept Coded = std::is_enum_v<E> && requires {
  { code_set(E{}) } -> std::same_as<CodeSet>;
};

namespace detail {

template <Coded E>
inline constexpr bool is_character = std::is_same_v<std::underlying_type_t<E>, char>;
template <Coded E>
inline constexpr bool is_number = std::is_same_v<std::underlying_type_t<E>, std::int32_t>;
template <Coded E>
inline constexpr bool is_place = std::is_same_v<std::underlying_type_t<E>, std::uint16_t>;

/// One bit per byte value: a test is a shift, whatever the list's length.
struct CharacterSet {
  std::array<std::uint64_t, 4> bits{};
  unsigned char first = 0xFF;
  unsigned char last = 0;

  [[nodiscard]] constexpr bool holds(char character) const noexcept {
    const auto value = static_cast<unsigned char>(character);
    return (bits[value / 64] >> (value % 64) & 1) != 0;
  }

  /// True if one word covers all of them, as for digits and capital letters.
  [[nodiscard]] constexpr bool narrow() const noexcept { return last - first < 64; }

  /// The bits of `first` and the next 63.
  [[nodiscard]] constexpr std::uint64_t word() const noexcept {
    std::uint64_t word = 0;
    for (unsigned at = 0; at < 64 && first + at < 256; ++at) {
      word |= static_cast<std::uint64_t>(holds(static_cast<char>(first + at))) << at;
    }
    return word;
  }
};

template <Coded E>
[[nodiscard]] consteval CharacterSet make_characters() {
  CharacterSet set;
  constexpr CodeSet list = code_set(E{});
  for (std::uint32_t at = 0; at < list.count; ++at) {
    const auto value = static_cast<unsigned char>(list.codes[at].text[0]);
    set.bits[value / 64] |= std::uint64_t{1} << (value % 64);
    set.first = std::min(set.first, value);
    set.last = std::max(set.last, value);
  }
  return set;
}

template <Coded E>
inline constexpr CharacterSet characters = make_characters<E>();

/// True if the list has it; a bit test in registers for the usual list.
template <Coded E>
[[nodiscard, gnu::always_inline]] constexpr bool lists_character(char character) noexcept {
  constexpr const CharacterSet& listed = characters<E>;
  if constexpr (listed.narrow()) {
    constexpr std::uint64_t word = listed.word();
    const auto place = static_cast<unsigned>(static_cast<unsigned char>(character)) - listed.first;
    return place < 64 && (word >> place & 1) != 0;
  } else {
    return listed.holds(character);
  }
}

/// A list's codes as numbers; the generator checked that each fits 32 bits.
[[nodiscard]] constexpr std::int32_t number_of(const char* text) noexcept {
  const bool negative = *text == '-';
  std::int32_t value = 0;
  for (const char* at = text + (negative ? 1 : 0); *at != '\0'; ++at) {
    value = value * 10 - (*at - '0');  // Counts down: the minimum has no positive twin.
  }
  return negative ? value : -value;
}

template <Coded E>
[[nodiscard]] consteval auto make_numbers() {
  constexpr CodeSet list = code_set(E{});
  std::array<std::int32_t, list.count> numbers{};
  for (std::uint32_t at = 0; at < list.count; ++at) {
    numbers[at] = number_of(list.codes[at].text);
  }
  std::ranges::sort(numbers);
  return numbers;
}

template <Coded E>
inline constexpr auto numbers = make_numbers<E>();

template <Coded E>
[[nodiscard]] constexpr bool lists_number(std::int32_t number) noexcept {
  constexpr auto& listed = numbers<E>;
  if constexpr (listed.back() - std::int64_t{listed.front()} + 1 == listed.size()) {
    return number >= listed.front() && number <= listed.back();
  } else {
    return std::ranges::binary_search(listed, number);
  }
}

/// Index of `text` in the list, or its count. Binary search by length, then bytes.
[[nodiscard]] std::uint32_t place_of(const CodeSet& list, std::string_view text) noexcept;

}  // namespace detail

/// Converts a field's text to an enumerator. Empty; Format: unlike any code; Range: not in the
/// list. The text stays readable. An open list also returns unlisted values if the enum can
/// represent them (characters and numbers).
template <Coded E>
[[nodiscard]] constexpr Result<E> from_code(std::string_view text) noexcept {
  if constexpr (detail::is_character<E>) {
    if (text.size() != 1) [[unlikely]] {
      return std::unexpected(text.empty() ? wire::FieldError::Empty : wire::FieldError::Format);
    }
    if (!code_set(E{}).open && !detail::lists_character<E>(text[0])) [[unlikely]] {
      return std::unexpected(wire::FieldError::Range);
    }
    return static_cast<E>(text[0]);
  } else if constexpr (detail::is_number<E>) {
    const Result<std::int32_t> number = wire::parse_integer<std::int32_t>(text);
    if (!number) [[unlikely]] {
      return std::unexpected(number.error());
    }
    if (!code_set(E{}).open && !detail::lists_number<E>(*number)) [[unlikely]] {
      return std::unexpected(wire::FieldError::Range);
    }
    return static_cast<E>(*number);
  } else {
    static_assert(detail::is_place<E>);
    constexpr CodeSet list = code_set(E{});
    const std::uint32_t place = detail::place_of(list, text);
    if (place == list.count) [[unlikely]] {
      return std::unexpected(text.empty() ? wire::FieldError::Empty : wire::FieldError::Range);
    }
    return static_cast<E>(place);
  }
}

/// List entry of `value`, or null if unlisted. Linear except for dense enums: for display texts,
/// not for the hot path.
template <Coded E>
[[nodiscard]] constexpr const Code* find_code(E value) noexcept {
  constexpr CodeSet list = code_set(E{});
  if constexpr (detail::is_place<E>) {
    const auto place = static_cast<std::uint32_t>(value);
    return place < list.count ? list.codes + place : nullptr;
  } else {
    for (std::uint32_t at = 0; at < list.count; ++at) {
      if constexpr (detail::is_character<E>) {
        if (list.codes[at].text[0] == static_cast<char>(value)) {
          return list.codes + at;
        }
      } else if (detail::number_of(list.codes[at].text) == static_cast<std::int32_t>(value)) {
        return list.codes + at;
      }
    }
    return nullptr;
  }
}

/// The code on the wire; empty for an unlisted value. Static storage.
template <Coded E>
[[nodiscard]] constexpr std::string_view code_of(E value) noexcept {
  const Code* code = find_code(value);
  return code != nullptr ? std::string_view(code->text) : std::string_view();
}

/// The dictionary's name of the value: "BUY"; "unlisted" otherwise. Static storage.
template <Coded E>
[[nodiscard]] constexpr const char* to_text(E value) noexcept {
  const Code* code = find_code(value);
  return code != nullptr ? code->name : "unlisted";
}

/// The enumerator with the dictionary name `name`, or Range. Linear.
template <Coded E>
[[nodiscard]] constexpr Result<E> from_text(std::string_view name) noexcept {
  constexpr CodeSet list = code_set(E{});
  for (std::uint32_t at = 0; at < list.count; ++at) {
    if (name == list.codes[at].name) {
      return from_code<E>(list.codes[at].text);
    }
  }
  return std::unexpected(wire::FieldError::Range);
}

/// The space-separated codes of a multiple-value field. Views the field's text.
template <Coded E>
class CodeRange {
 public:
  class Iterator {
   public:
    using value_type = Result<E>;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() noexcept = default;

    constexpr explicit Iterator(wire::MultipleValue::Iterator at) noexcept : at_(at) {}

    /// Converts the current part; each part has its own result.
    [[nodiscard]] constexpr Result<E> operator*() const noexcept { return from_code<E>(*at_); }

    constexpr Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }

    constexpr Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++at_;
      return before;
    }

    friend constexpr bool operator==(const Iterator&, const Iterator&) noexcept = default;

   private:
    wire::MultipleValue::Iterator at_;
  };

  constexpr CodeRange() noexcept = default;

  constexpr explicit CodeRange(wire::MultipleValue values) noexcept : values_(values) {}

  [[nodiscard]] constexpr Iterator begin() const noexcept { return Iterator(values_.begin()); }

  [[nodiscard]] constexpr Iterator end() const noexcept { return Iterator(values_.end()); }

  [[nodiscard]] constexpr std::string_view text() const noexcept { return values_.text(); }

  [[nodiscard]] constexpr bool contains(E value) const noexcept {
    for (Iterator at = begin(); at != end(); ++at) {
      const Result<E> code = *at;
      if (code && *code == value) {
        return true;
      }
    }
    return false;
  }

 private:
  wire::MultipleValue values_;
};

}  // namespace affix::inline v0::messages
