// SPDX-License-Identifier: MIT
// A tag with its `NNN=` text ready to be stored, computed at compile time where the tag is a constant.
#pragma once

#include <cstdint>
#include <cstring>

namespace affix::inline v0::wire {

/// Converts from the number: `encoder.text(55, "IBM")`. With a constant the text folds to one store.
class Tag {
 public:
  /// Longest tag text: ten digits and `=`.
  static constexpr std::uint32_t text_size_max = 11;

  constexpr Tag(std::uint32_t number) noexcept : number_(number) {  // NOLINT(google-explicit-constructor)
    char reversed[text_size_max] = {};
    std::uint32_t digits = 0;
    do {
      reversed[digits++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    for (std::uint32_t at = 0; at < digits; ++at) {
      text_[at] = reversed[digits - 1 - at];
    }
    text_[digits] = '=';
    text_size_ = digits + 1;
  }

  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return number_; }

  /// `55=`, not terminated; 16 bytes may be read.
  [[nodiscard]] constexpr const char* text() const noexcept { return text_; }
  [[nodiscard]] constexpr std::uint32_t text_size() const noexcept { return text_size_; }

 private:
  std::uint32_t number_ = 0;
  std::uint32_t text_size_ = 0;
  char text_[16] = {};
};

}  // namespace affix::inline v0::wire
