// SPDX-License-Identifier: MIT
// What reading a field gives: a value, or why there is none. Used like std::expected, which it
// becomes where one is wanted.
#pragma once

#include "affix/base/assert.hpp"

#include <concepts>
#include <cstdint>
#include <expected>
#include <type_traits>
#include <utility>

namespace affix::inline v0::wire {

/// Why a field has no value of the type that was asked for.
enum class FieldError : std::uint8_t {
  Missing,  ///< The message has no such field.
  Empty,    ///< The field is there and has no value, which FIX forbids.
  Format,   ///< The text is not of the type.
  Range,  ///< The text is of the type, but its value does not fit; the text itself stays readable.
};

template <typename T>
class Result;

namespace detail {

template <typename T>
inline constexpr bool is_outcome = false;
template <typename T>
inline constexpr bool is_outcome<Result<T>> = true;
template <typename T, typename Error>
inline constexpr bool is_outcome<std::expected<T, Error>> = true;
template <typename Error>
inline constexpr bool is_outcome<std::unexpected<Error>> = true;

}  // namespace detail

/// A T or a FieldError. The interface is that of std::expected<T, FieldError> without its monadic
/// functions. It holds the value and the error beside each other and not in a union: a compiler
/// takes a struct apart and keeps its parts in registers, which GCC 12 does not do with a union, so
/// that a typed read would go through memory. Taking the value where there is none stops the
/// process, in every build: the `T{}` that stands in for it must not become somebody's price.
template <typename T>
class Result {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_nothrow_default_constructible_v<T>);

  using value_type = T;
  using error_type = FieldError;
  using unexpected_type = std::unexpected<FieldError>;

  /// A value, `T{}`.
  constexpr Result() noexcept = default;

  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its value as it is.
  constexpr Result(const T& value) noexcept : value_(value) {}

  // NOLINTNEXTLINE(google-explicit-constructor): and its error.
  constexpr Result(const std::unexpected<FieldError>& error) noexcept
      : error_(error.error()), good_(false) {}

  /// Made in place from the value's parts.
  template <typename... Parts>
    requires std::constructible_from<T, Parts...>
  constexpr explicit Result(std::in_place_t /*unused*/, Parts&&... parts) noexcept
      : value_(std::forward<Parts>(parts)...) {}

  // NOLINTNEXTLINE(google-explicit-constructor): what takes a std::expected takes this.
  [[nodiscard]] constexpr operator std::expected<T, FieldError>() const noexcept {
    if (!good_) {
      return std::unexpected(error_);
    }
    return value_;
  }

  [[nodiscard]] constexpr bool has_value() const noexcept { return good_; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return good_; }

  /// There is a value: asked before, or the process stops.
  [[nodiscard]] constexpr const T& operator*() const noexcept {
    AFFIX_ASSERT(has_value());
    return value_;
  }

  [[nodiscard]] constexpr T& operator*() noexcept {
    AFFIX_ASSERT(has_value());
    return value_;
  }

  [[nodiscard]] constexpr const T* operator->() const noexcept {
    AFFIX_ASSERT(has_value());
    return &value_;
  }

  [[nodiscard]] constexpr T* operator->() noexcept {
    AFFIX_ASSERT(has_value());
    return &value_;
  }

  /// The value, or std::bad_expected_access as std::expected has it.
  [[nodiscard]] constexpr T value() const { return std::expected<T, FieldError>(*this).value(); }

  /// There is no value.
  [[nodiscard]] constexpr FieldError error() const noexcept {
    AFFIX_ASSERT(!has_value());
    return error_;
  }

  template <typename U>
    requires std::convertible_to<U, T>
  [[nodiscard]] constexpr T value_or(U&& other) const noexcept {
    return good_ ? value_ : static_cast<T>(std::forward<U>(other));
  }

  /// Two values that are equal, or two errors that are.
  friend constexpr bool operator==(const Result& left, const Result& right) noexcept
    requires std::equality_comparable<T>
  {
    return left.good_ == right.good_ &&
           (left.good_ ? left.value_ == right.value_ : left.error_ == right.error_);
  }

  friend constexpr bool operator==(const Result& left,
                                   const std::expected<T, FieldError>& right) noexcept
    requires std::equality_comparable<T>
  {
    return right ? left.good_ && left.value_ == *right
                 : !left.good_ && left.error_ == right.error();
  }

  friend constexpr bool operator==(const Result& left,
                                   const std::unexpected<FieldError>& right) noexcept {
    return !left.good_ && left.error_ == right.error();
  }

  /// A value that equals `right`.
  template <typename U>
    requires(!detail::is_outcome<U>) && requires(const T& value, const U& other) {
      { value == other } -> std::convertible_to<bool>;
    }
  friend constexpr bool operator==(const Result& left, const U& right) noexcept {
    return left.good_ && left.value_ == right;
  }

 private:
  T value_{};
  FieldError error_{};
  bool good_ = true;
};

}  // namespace affix::inline v0::wire
