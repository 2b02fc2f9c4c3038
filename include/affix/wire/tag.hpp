// SPDX-License-Identifier: MIT
// A tag with its encoded `NNN=` text. The compiler computes constant tags, so that writing one is a
// single store; Tag::of makes a tag known only at run time.
#pragma once

#include <cstdint>

namespace affix::inline v0::wire {

/// Largest tag number: the largest value of FIX's int.
inline constexpr std::uint32_t tag_max = 2'147'483'647;

/// Converts from a constant: `encoder.text(55, "IBM")`. Zero and numbers above tag_max do not
/// compile.
class Tag {
 public:
  /// Longest tag text: ten digits and `=`.
  static constexpr std::uint32_t text_size_max = 11;

  consteval Tag(std::uint32_t number)  // NOLINT(google-explicit-constructor): a tag is its number.
      : Tag(number == 0 || number > tag_max ? invalid() : number, Rendered{}) {}

  /// Makes the tag `number`, 1 to tag_max. About 3 ns; a constant tag costs nothing.
  [[nodiscard]] static constexpr Tag of(std::uint32_t number) noexcept {
    return {number, Rendered{}};
  }

  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return number_; }

  /// Lets one name serve the encoder and the view: `view.find(symbol)`.
  constexpr operator std::uint32_t() const noexcept {
    return number_;
  }  // NOLINT(google-explicit-constructor)

  /// `55=`, not terminated; 16 bytes are readable.
  [[nodiscard]] constexpr const char* text() const noexcept { return text_; }

  [[nodiscard]] constexpr std::uint32_t text_size() const noexcept { return text_size_; }

  /// Sum of the text's bytes, for CheckSum.
  [[nodiscard]] constexpr std::uint32_t sum() const noexcept { return sum_; }

 private:
  struct Rendered {};

  /// Not constexpr: an invalid constant tag does not compile.
  static std::uint32_t invalid() noexcept { return 0; }

  constexpr Tag(std::uint32_t number, Rendered) noexcept : number_(number) {
    std::uint32_t digits = 1;
    for (std::uint32_t rest = number / 10; rest != 0; rest /= 10) {
      ++digits;
    }
    for (std::uint32_t at = digits; at > 0; --at) {
      text_[at - 1] = static_cast<char>('0' + number % 10);
      sum_ += '0' + number % 10;
      number /= 10;
    }
    text_[digits] = '=';
    sum_ += '=';
    text_size_ = digits + 1;
  }

  char text_[16] = {};
  std::uint32_t number_ = 0;
  std::uint32_t text_size_ = 0;
  std::uint32_t sum_ = 0;
};

}  // namespace affix::inline v0::wire
