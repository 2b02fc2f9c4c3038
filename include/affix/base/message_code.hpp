// SPDX-License-Identifier: MIT
// Stable short code of an error, warning or event: a letter for its area and three digits. Its
// meaning, cause and action are in one table, which `affix explain` prints.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string_view>

namespace affix::inline v0::base {

/// A value of four bytes. A literal converts to it and is checked when it is compiled:
/// `base::MessageCode code = "S104";`. Codes keep their meaning in later versions and are never
/// used for another message.
class MessageCode {
 public:
  /// Bytes of a code's text.
  static constexpr std::size_t size = 4;

  /// No code: for a message that has none.
  constexpr MessageCode() noexcept = default;

  /// Not explicit, so that a literal stands where a message is made.
  consteval MessageCode(const char (&literal)[size + 1])  // NOLINT(google-explicit-constructor)
      : text_{literal[0], literal[1], literal[2], literal[3]} {
    if (!is_code(literal)) {
      a_message_code_is_a_capital_letter_and_three_digits();
    }
  }

  /// The code in `text`, without regard to case; no code if it is not of that form.
  [[nodiscard]] static constexpr MessageCode parse(std::string_view text) noexcept {
    MessageCode code;
    if (text.size() != size) {
      return code;
    }
    const std::array<char, size> upper{capital(text[0]), text[1], text[2], text[3]};
    if (is_code({upper.data(), size})) {
      code.text_ = upper;
    }
    return code;
  }

  /// False: there is no code.
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return text_[0] != '\0'; }

  /// "S104", or empty. Valid as long as this object.
  [[nodiscard]] constexpr std::string_view text() const& noexcept {
    return {text_.data(), *this ? size : 0};
  }

  std::string_view text() const&& = delete;

  friend constexpr bool operator==(MessageCode, MessageCode) noexcept = default;
  friend constexpr auto operator<=>(MessageCode, MessageCode) noexcept = default;

 private:
  /// Not constexpr and not defined: a wrong literal does not compile, and the error has this name.
  static void a_message_code_is_a_capital_letter_and_three_digits();

  static constexpr char capital(char letter) noexcept {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }

  static constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

  static constexpr bool is_code(std::string_view text) noexcept {
    return text[0] >= 'A' && text[0] <= 'Z' && is_digit(text[1]) && is_digit(text[2]) &&
           is_digit(text[3]);
  }

  std::array<char, size> text_{};
};

/// A message with its code. Valid as long as its text.
struct CodedText {
  std::string_view text;  ///< One sentence.
  MessageCode code = {};  ///< `affix explain` prints what it means.

  /// True if there is no message.
  [[nodiscard]] constexpr bool empty() const noexcept { return text.empty(); }
};

}  // namespace affix::inline v0::base
