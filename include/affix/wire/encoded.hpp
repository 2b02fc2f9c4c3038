// SPDX-License-Identifier: MIT
// Result of encoding a message: its bytes, or an error. Used like std::expected, to which it
// converts.
#pragma once

#include "affix/base/assert.hpp"

#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::wire {

/// Reasons why a message could not be encoded or patched.
enum class EncodeError : std::uint8_t {
  None,
  NotBegun,     ///< A field or finish() without begin(), or after finish().
  Overflow,     ///< The buffer is too small for the message and Encoder::overhead.
  EmptyValue,   ///< A field without a value, which FIX forbids.
  SohInValue,   ///< A text value contains SOH; only data() may.
  BadValue,     ///< A value without FIX text: a date that does not exist, an exponent beyond
                ///< decimal_scale_max.
  UnknownSlot,  ///< PreparedMessage: no such field in the message, or no such slot.
  // Found only by a writer that knows the message's layout, and set by refuse().
  MissingField,  ///< A required field was left out.
  FieldOrder,    ///< A field came twice, or after one that it must precede.
};

[[nodiscard]] const char* to_text(EncodeError error) noexcept;

/// The bytes of a message, as a view of its buffer, or an EncodeError. Two registers:
/// a std::expected of a view is returned in memory, and the caller waits for the
/// stores.
class EncodedMessage {
 public:
  using value_type = std::string_view;
  using error_type = EncodeError;

  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its message directly.
  constexpr EncodedMessage(std::string_view message) noexcept
      : begin_(message.data()), size_(static_cast<std::uint32_t>(message.size())) {}

  // NOLINTNEXTLINE(google-explicit-constructor): or its error.
  constexpr EncodedMessage(const std::unexpected<EncodeError>& error) noexcept
      : error_(error.error()) {}

  // NOLINTNEXTLINE(google-explicit-constructor): usable as a std::expected.
  [[nodiscard]] constexpr operator std::expected<std::string_view, EncodeError>() const noexcept {
    if (!has_value()) {
      return std::unexpected(error_);
    }
    return **this;
  }

  [[nodiscard]] constexpr bool has_value() const noexcept { return error_ == EncodeError::None; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value(); }

  /// Requires has_value(), otherwise the process stops.
  [[nodiscard]] constexpr std::string_view operator*() const noexcept {
    AFFIX_ASSERT(has_value());
    return {begin_, size_};
  }

  /// Requires has_value().
  [[nodiscard]] constexpr auto operator->() const noexcept { return Pointed{**this}; }

  /// Returns the message, or throws std::bad_expected_access like std::expected.
  [[nodiscard]] constexpr std::string_view value() const {
    return std::expected<std::string_view, EncodeError>(*this).value();
  }

  /// Requires an error.
  [[nodiscard]] constexpr EncodeError error() const noexcept {
    AFFIX_DEBUG_ASSERT(!has_value());
    return error_;
  }

  [[nodiscard]] constexpr std::string_view value_or(std::string_view other) const noexcept {
    return has_value() ? **this : other;
  }

  /// True for a message of these bytes.
  friend constexpr bool operator==(const EncodedMessage& left, std::string_view right) noexcept {
    return left.has_value() && *left == right;
  }

  /// True for equal bytes, or equal errors.
  friend constexpr bool operator==(const EncodedMessage& left,
                                   const EncodedMessage& right) noexcept {
    return left.error_ == right.error_ && (!left.has_value() || *left == *right);
  }

  friend constexpr bool operator==(const EncodedMessage& left,
                                   const std::unexpected<EncodeError>& right) noexcept {
    return !left.has_value() && left.error_ == right.error();
  }

 private:
  /// Holds the view that operator-> points to.
  struct Pointed {
    std::string_view view;

    constexpr const std::string_view* operator->() const noexcept { return &view; }
  };

  const char* begin_ = nullptr;
  std::uint32_t size_ = 0;  ///< Sufficient, since BodyLength has at most nine digits.
  EncodeError error_ = EncodeError::None;
};

static_assert(sizeof(EncodedMessage) == 16);

}  // namespace affix::inline v0::wire
