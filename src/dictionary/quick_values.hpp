// SPDX-License-Identifier: MIT
// Recognises certainly valid values without a call and mostly with one load of eight bytes.
#pragma once

#include "affix/base/words.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/digit_words.hpp"

#include "dictionary/validation_tables.hpp"

#include <cstdint>

namespace affix::inline v0::dictionary {

/// After 8, 9 and 35, which have been checked with the checksum, as has 10, the last.
inline constexpr std::uint32_t first_field = 3;

/// Tables for checking values.
struct ValueTables {
  const FieldCheck* fields;
  const std::uint64_t* codes;
};

/// Digit values with one point among them, after removing the point.
[[nodiscard]] inline std::uint64_t without_point(std::uint64_t values) noexcept {
  static_cast<void>(wire::drop_point(values));
  return values;
}

/// True if the value of `size` bytes before `end` certainly has its field's form. Eight bytes
/// before `end` are readable: 8, 9 and 35 have as many.
[[nodiscard]] [[gnu::always_inline]] inline bool surely_good(const ValueTables& tables,
                                                             QuickCheck quick, std::uint32_t slot,
                                                             const char* end,
                                                             std::uint32_t size) noexcept {
  constexpr std::uint32_t word_size = 8;
  switch (quick) {
    case QuickCheck::NotEmpty:
      return size != 0;
    case QuickCheck::Character:
      return size == 1 && tables.fields[slot].has_character(static_cast<unsigned char>(end[-1]));
    case QuickCheck::Digits:
      return size - 1 < word_size &&
             wire::all_digit_values(wire::preceded_digit_values(end - size, size));
    case QuickCheck::Decimal: {
      if (size - 1 >= word_size) {
        return false;
      }
      std::uint64_t values = wire::preceded_digit_values(end - size, size);
      // Only a number of one digit and no point can be one character long.
      return wire::all_digit_values(values) ||
             (size > 1 && wire::all_digit_values(without_point(values)));
    }
    case QuickCheck::Code: {
      if (size - 1 >= word_size) {
        return false;
      }
      const std::uint64_t word = base::load_word(end - word_size);
      // A zero byte at the end would make the value look like a shorter code.
      return word >> 56 != 0 &&
             has_code(tables.codes, tables.fields[slot], word >> (64 - 8 * size));
    }
    case QuickCheck::Timestamp: {
      // value_faults checks fractions finer than nanoseconds.
      constexpr std::uint32_t size_max = 27;
      return size <= size_max && wire::parse_utc_time({end - size, size}).has_value();
    }
    case QuickCheck::Never:
      return false;
  }
  __builtin_unreachable();
}

}  // namespace affix::inline v0::dictionary
