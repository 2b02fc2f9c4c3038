// SPDX-License-Identifier: MIT
// Values as texts that can be printed: in a small buffer of their own, terminated, without
// allocation. The same digits as on the wire.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

class Encoder;

/// A text of at most `SizeMax` characters, with a terminating zero behind them. A plain value:
/// views of it live as long as it does.
template <std::size_t SizeMax>
class FixedText {
 public:
  constexpr FixedText() noexcept = default;

  /// What is longer is cut off.
  constexpr explicit FixedText(std::string_view text) noexcept { append(text); }

  constexpr void append(std::string_view text) noexcept {
    for (const char character : text) {
      if (size_ == SizeMax) {
        return;
      }
      characters_[size_++] = character;
    }
  }

  [[nodiscard]] constexpr const char* c_str() const noexcept { return characters_.data(); }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  [[nodiscard]] constexpr std::string_view view() const noexcept {
    return {characters_.data(), size_};
  }

  // NOLINTNEXTLINE(google-explicit-constructor): what takes a text takes this.
  constexpr operator std::string_view() const noexcept { return view(); }

  friend constexpr bool operator==(const FixedText& left, std::string_view right) noexcept {
    return left.view() == right;
  }

  /// Into a standard stream, which this header does not include.
  template <typename Stream>
    requires requires(Stream& stream, const char* text, std::size_t size) {
      stream.write(text, static_cast<std::ptrdiff_t>(size));
      stream.width();
    }
  friend Stream& operator<<(Stream& stream, const FixedText& text) {
    stream.write(text.characters_.data(), static_cast<std::ptrdiff_t>(text.size_));
    return stream;
  }

 private:
  std::array<char, SizeMax + 1> characters_{};
  std::size_t size_ = 0;
};

using DecimalText = FixedText<decimal_room>;
using TimeText = FixedText<utc_time_room>;

/// As format_decimal: {1050, -2} is "10.50". With an exponent that FIX has no text for, mantissa
/// and exponent as in "5e-70", which no parse_ function takes.
[[nodiscard]] DecimalText to_text(base::Decimal value) noexcept;

/// As format_utc_time; empty when picoseconds exceed 999.
[[nodiscard]] TimeText to_text(base::UtcTime value,
                               TimePrecision precision = TimePrecision::Nanos) noexcept;

/// Why the encoder's message is refused, with the field: "11 is out of order: after 55", "11 is
/// missing", "44: a value has no FIX text". Empty when it is not.
[[nodiscard]] FixedText<96> error_text(const Encoder& encoder) noexcept;

}  // namespace affix::inline v0::wire
