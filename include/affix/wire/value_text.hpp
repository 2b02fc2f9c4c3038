// SPDX-License-Identifier: MIT
// Values as printable texts: in small buffers, zero-terminated, without allocation. The digits are
// those on the wire.
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

/// A text of at most `SizeMax` characters with a terminating zero. A plain value; views of it are
/// valid as long as it is.
template <std::size_t SizeMax>
class FixedText {
 public:
  constexpr FixedText() noexcept = default;

  /// Truncates a longer text.
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

  // NOLINTNEXTLINE(google-explicit-constructor): usable wherever a text is.
  constexpr operator std::string_view() const noexcept { return view(); }

  friend constexpr bool operator==(const FixedText& left, std::string_view right) noexcept {
    return left.view() == right;
  }

  /// Writes to a standard stream, whose header is not included here.
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

/// Like format_decimal: {1050, -2} is "10.50". An exponent without FIX text gives mantissa and
/// exponent, as in "5e-70", which no parse_ function accepts.
[[nodiscard]] DecimalText to_text(base::Decimal value) noexcept;

/// Like format_utc_time; empty if picoseconds exceed 999.
[[nodiscard]] TimeText to_text(base::UtcTime value,
                               TimePrecision precision = TimePrecision::Nanos) noexcept;

/// Describes why the encoder refuses the message, with the field: "11 is out of order: after 55",
/// "11 is missing", "44: a value has no FIX text". Empty without an error.
[[nodiscard]] FixedText<96> error_text(const Encoder& encoder) noexcept;

}  // namespace affix::inline v0::wire
