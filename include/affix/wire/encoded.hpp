// SPDX-License-Identifier: MIT
// What encoding a message gives: its bytes, or why there are none. Used like std::expected, which
// it becomes where one is wanted.
#pragma once

#include "affix/base/assert.hpp"

#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::wire {

/// Why a message could not be encoded or patched.
enum class EncodeError : std::uint8_t {
  None,
  NotBegun,     ///< A field or finish() without begin(), or after finish().
  Overflow,     ///< The buffer is too small for the message and Encoder::overhead.
  EmptyValue,   ///< A field without value, which FIX forbids.
  SohInValue,   ///< A text value holds SOH; only data() may.
  BadValue,     ///< A value FIX has no text for: a date that does not exist, an exponent beyond
                ///< decimal_scale_max.
  UnknownSlot,  ///< PreparedMessage: no such field in the message, or no such slot.
  // What only a writer that knows the message's layout can find, told by refuse().
  MissingField,  ///< A required field was left out.
  FieldOrder,    ///< A field came twice, or behind one that has its place after it.
};

[[nodiscard]] const char* to_text(EncodeError error) noexcept;

/// The bytes of a message in the buffer it was encoded into, which they view, or an EncodeError.
/// Two registers: a std::expected of a view is handed from call to call in memory, and waits there
/// for its parts to be stored.
class EncodedMessage {
 public:
  using value_type = std::string_view;
  using error_type = EncodeError;

  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its message as it is.
  constexpr EncodedMessage(std::string_view message) noexcept
      : begin_(message.data()), size_(static_cast<std::uint32_t>(message.size())) {}

  // NOLINTNEXTLINE(google-explicit-constructor): and its error.
  constexpr EncodedMessage(const std::unexpected<EncodeError>& error) noexcept
      : error_(error.error()) {}

  // NOLINTNEXTLINE(google-explicit-constructor): what takes a std::expected takes this.
  [[nodiscard]] constexpr operator std::expected<std::string_view, EncodeError>() const noexcept {
    if (!has_value()) {
      return std::unexpected(error_);
    }
    return **this;
  }

  [[nodiscard]] constexpr bool has_value() const noexcept { return error_ == EncodeError::None; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value(); }

  /// There is a message: asked before, or the process stops.
  [[nodiscard]] constexpr std::string_view operator*() const noexcept {
    AFFIX_ASSERT(has_value());
    return {begin_, size_};
  }

  /// There is a message.
  [[nodiscard]] constexpr auto operator->() const noexcept { return Pointed{**this}; }

  /// The message, or std::bad_expected_access as std::expected has it.
  [[nodiscard]] constexpr std::string_view value() const {
    return std::expected<std::string_view, EncodeError>(*this).value();
  }

  /// There is no message.
  [[nodiscard]] constexpr EncodeError error() const noexcept {
    AFFIX_DEBUG_ASSERT(!has_value());
    return error_;
  }

  [[nodiscard]] constexpr std::string_view value_or(std::string_view other) const noexcept {
    return has_value() ? **this : other;
  }

  /// A message of these bytes.
  friend constexpr bool operator==(const EncodedMessage& left, std::string_view right) noexcept {
    return left.has_value() && *left == right;
  }

  /// The same bytes, or the same error.
  friend constexpr bool operator==(const EncodedMessage& left,
                                   const EncodedMessage& right) noexcept {
    return left.error_ == right.error_ && (!left.has_value() || *left == *right);
  }

  friend constexpr bool operator==(const EncodedMessage& left,
                                   const std::unexpected<EncodeError>& right) noexcept {
    return !left.has_value() && left.error_ == right.error();
  }

 private:
  /// A view that is made where it is asked for.
  struct Pointed {
    std::string_view view;

    constexpr const std::string_view* operator->() const noexcept { return &view; }
  };

  const char* begin_ = nullptr;
  std::uint32_t size_ = 0;  ///< BodyLength has nine digits at most, so this is enough.
  EncodeError error_ = EncodeError::None;
};

static_assert(sizeof(EncodedMessage) == 16);

}  // namespace affix::inline v0::wire
