// SPDX-License-Identifier: MIT
// Code that all vector kernels share: checks at both ends of a message, long tags, and the decision
// to leave a message to the scalar kernel. Baseline code that is always inlined, so that no
// kernel's instructions leak into another.
#pragma once

#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"

#include <cstdint>
#include <cstring>

namespace affix::inline v0::wire::edges {

/// Shorter messages go to the scalar kernel: in longer ones every load of check_edges is inside.
inline constexpr std::uint32_t size_min = 40;

/// base::load(), but always inlined.
template <class Word>
[[nodiscard, gnu::always_inline]] inline Word load(const char* bytes) noexcept {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Four digit values, the first in the lowest byte, as a number: neighbours are joined, digits to
/// pairs, pairs to one.
[[nodiscard, gnu::always_inline]] inline std::uint32_t join_digits(std::uint32_t digits) noexcept {
  return ((digits * 2561 >> 8) & 0x00ff00ff) * 6553601 >> 16;
}

/// The end of a message for each checksum, eight bytes as they are loaded: SOH, `10=`, three
/// digits, SOH.
struct Trailers {
  std::uint64_t words[256];
};

constexpr Trailers make_trailers() noexcept {
  Trailers result{};
  for (std::uint32_t sum = 0; sum < 256; ++sum) {
    const std::uint64_t digits =
        ('0' + sum / 100) | ('0' + sum / 10 % 10) << 8 | ('0' + sum % 10) << 16;
    result.words[sum] = 0x010000003d303101 | digits << 32;
  }
  return result;
}

inline constexpr Trailers trailers = make_trailers();

/// Checks of a message's beginning.
struct Header {
  std::uint64_t wrong = 0;        ///< Not 0: the beginning is unusual.
  std::uint64_t body_length = 0;  ///< Value of 9.
  std::uint32_t body_begin = 0;
};

/// Handles BodyLengths of other than three digits, up to seven.
[[nodiscard]] inline Header read_header(const char* bytes, std::uint32_t first_end,
                                        std::uint64_t first_map) noexcept {
  constexpr std::uint32_t body_length_start = 0x3d3901;  // SOH, "9="
  constexpr std::uint32_t msg_type_start = 0x3d353301;   // SOH, "35="
  const std::uint64_t behind_first = first_map & (first_map - 1);
  const std::uint32_t second_end =
      behind_first == 0 ? 0 : static_cast<std::uint32_t>(__builtin_ctzll(behind_first));
  const std::uint32_t digit_count = second_end - first_end - 3;
  if (digit_count - 1 > 6) {
    return {1, 0, 0};
  }
  // Digits move to the word's high end, then neighbours are joined: digits to pairs, pairs to
  // fours, those to the number.
  const std::uint64_t digits = (load<std::uint64_t>(bytes + first_end + 3) ^ 0x3030303030303030)
                               << (64 - 8 * digit_count);
  const std::uint64_t pairs = (digits * 2561 >> 8) & 0x00ff00ff00ff00ff;
  const std::uint64_t fours = (pairs * 6553601 >> 16) & 0x0000ffff0000ffff;
  std::uint64_t wrong = ((digits + 0x0606060606060606) | digits) & 0xf0f0f0f0f0f0f0f0;
  wrong |= (load<std::uint32_t>(bytes + first_end) & 0xffffff) ^ body_length_start;
  wrong |= load<std::uint32_t>(bytes + second_end) ^ msg_type_start;
  return {wrong, fours * 42949672960001 >> 32, second_end + 1};
}

/// From this size on the BodyLength of a valid, usual message has at least three
/// digits.
inline constexpr std::uint32_t three_digits_size_min = 124;

/// True if the message begins with 8, 9, 35, its BodyLength is its body's length, and it ends with
/// `10=ddd`, equal to the sum. False sends the message to the scalar kernel, which finds the fault,
/// if any: only usual shapes are recognised here. `first_end` is the first SOH (any number if there
/// is none) and `first_map` the first 64 bytes' SOH, `sum` is that of all bytes, and size >=
/// size_min. ThreeDigits: a BodyLength of another length is unusual.
template <bool ThreeDigits>
[[nodiscard, gnu::always_inline]] inline bool check_edges(const char* bytes, std::uint32_t size,
                                                          std::uint32_t first_end,
                                                          std::uint32_t sum,
                                                          std::uint64_t first_map) noexcept {
  constexpr std::uint32_t first_end_max = 20;
  constexpr std::uint32_t begin_string_tag = 0x3d38;  // "8="
  if (first_end > first_end_max) [[unlikely]] {
    return false;
  }
  // SOH 9 = d d d SOH 3; after the exclusive or, digits are their values and all else is 0.
  const std::uint64_t start = load<std::uint64_t>(bytes + first_end) ^ 0x33013030303d3901;
  constexpr std::uint32_t msg_type_rest = 0x3d35;  // "5="
  Header header{((start + 0x0000060606000000) | start) & 0xfffff0f0f0ffffff,
                join_digits(static_cast<std::uint32_t>(start >> 16)), first_end + 7};
  if constexpr (ThreeDigits) {
    header.wrong |=
        static_cast<std::uint64_t>(load<std::uint16_t>(bytes + first_end + 8)) ^ msg_type_rest;
  } else if (header.wrong == 0) {
    header.wrong =
        static_cast<std::uint64_t>(load<std::uint16_t>(bytes + first_end + 8)) ^ msg_type_rest;
  } else {
    header = read_header(bytes, first_end, first_map);
  }
  // The trailer that fits the sum without it: seven bytes, of which three are digits of any
  // value. Only the right digits lead to an equal word. Wrong bits of all checks meet in one
  // branch.
  constexpr std::uint32_t fixed_sum = '1' + '0' + '=' + soh;
  const std::uint64_t trailer = load<std::uint64_t>(bytes + size - 8);
  const std::uint32_t digits_sum = static_cast<std::uint32_t>(trailer >> 32) * 0x010101 >> 16;
  std::uint64_t wrong = trailer ^ trailers.words[(sum - fixed_sum - digits_sum) & 0xff];
  wrong |= static_cast<std::uint64_t>(load<std::uint16_t>(bytes)) ^ begin_string_tag;
  wrong |= header.wrong | (header.body_length ^ (size - 7 - header.body_begin));
  return wrong == 0;
}

/// A tag of five to ten digits, parsed from its text; 0 for any other
/// text.
[[nodiscard, gnu::always_inline]] inline std::uint32_t long_tag(const char* text,
                                                                std::uint32_t size) noexcept {
  constexpr std::uint64_t tag_max = 2147483647;
  if (size < 5 || size > 10) {
    return 0;
  }
  std::uint64_t number = 0;
  for (std::uint32_t at = 0; at < size; ++at) {
    const std::uint32_t digit =
        static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])) - '0';
    if (digit > 9) {
      return 0;
    }
    number = number * 10 + digit;
  }
  return number <= tag_max ? static_cast<std::uint32_t>(number) : 0;
}

/// Decides on a tag's text of one to four digits, of which `text` is the last of four bytes: the
/// tag, or 0.
[[nodiscard, gnu::always_inline]] inline std::uint32_t short_tag(std::uint32_t text,
                                                                 std::uint32_t size) noexcept {
  if (size - 1 > 3) {
    return 0;
  }
  const std::uint32_t digits = (text ^ 0x30303030) & (~std::uint32_t{0} << (32 - 8 * size));
  if ((((digits + 0x06060606) | digits) & 0xf0f0f0f0) != 0) {
    return 0;
  }
  return join_digits(digits);
}

/// True if every data field after its length field ends where a text field would end too: then the
/// index for text is right. If not, data contains SOH or its length is wrong, which the scalar
/// kernel finds out. Called only when a tag passed the filter.
[[nodiscard]] inline bool data_reads_as_text(const char* bytes, const FieldIndex& index,
                                             std::uint32_t count,
                                             const DataFields& data_fields) noexcept {
  for (std::uint32_t position = 0; position + 1 < count; ++position) {
    const std::uint32_t tag = index.tags[position];
    if (!data_fields.maybe_length(tag)) {
      continue;
    }
    const std::uint32_t data_tag = data_fields.data_tag_of(tag);
    if (data_tag == 0 || index.tags[position + 1] != data_tag) {
      continue;
    }
    const std::uint32_t digit_count = index.ends[position] - index.begins[position];
    const std::uint32_t size = index.ends[position + 1] - index.begins[position + 1];
    std::uint64_t length = 0;
    for (std::uint32_t digit = 0; digit < digit_count; ++digit) {
      const std::uint32_t value = static_cast<std::uint32_t>(static_cast<unsigned char>(
                                      bytes[index.begins[position] + digit])) -
                                  '0';
      if (value > 9 || length > size) {
        return false;
      }
      length = length * 10 + value;
    }
    if (digit_count == 0 || length != size) {
      return false;
    }
  }
  return true;
}

/// Result of converting a message's tags.
struct Tags {
  bool good = true;            ///< False: one is faulty, and the scalar kernel must do the message.
  bool maybe_lengths = false;  ///< data_reads_as_text must be called.
};

/// Converts the four-byte texts in `tags` to numbers one by one, from the second field on: the
/// first is `8=`.
[[nodiscard, gnu::always_inline]] inline Tags convert_tags(const char* bytes, FieldIndex& index,
                                                           std::uint32_t count,
                                                           const DataFields& data_fields) noexcept {
  Tags result;
  index.tags[0] = 8;
  for (std::uint32_t position = 1; position < count; ++position) {
    const std::uint32_t begin = index.ends[position - 1] + 1;
    const std::uint32_t size = index.begins[position] - 1 - begin;
    std::uint32_t tag = short_tag(index.tags[position], size);
    if (tag == 0) [[unlikely]] {
      tag = long_tag(bytes + begin, size);
      result.good = result.good && tag != 0;
    }
    result.maybe_lengths |= data_fields.maybe_length(tag);
    index.tags[position] = tag;
  }
  return result;
}

/// The result of a message without fault or defect.
[[gnu::always_inline]] inline void set_clean(FieldIndex& index, std::uint32_t count) noexcept {
  index.count = count;
  index.defect = MessageDefect::None;
  index.fault = FieldFault::None;
  index.defect_at = 0;
  index.fault_at = 0;
  index.fault_count = 0;
}

}  // namespace affix::inline v0::wire::edges
