// SPDX-License-Identifier: MIT
// Result of reading a field: a value, or an error. Used like std::expected, to which it
// converts.
#pragma once

#include "affix/base/assert.hpp"

#include <concepts>
#include <cstdint>
#include <expected>
#include <type_traits>
#include <utility>

namespace affix::inline v0::wire {

/// Reasons why a field has no value of the requested type.
enum class FieldError : std::uint8_t {
  Missing,  ///< The message has no such field.
  Empty,    ///< The field exists without a value, which FIX forbids.
  Format,   ///< The text does not have the type's form.
  Range,    ///< The form is right, but the value does not fit; the text stays readable.
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

/// A T or a FieldError, with the interface of std::expected<T, FieldError> except its monadic
/// functions. Stores value and error side by side instead of in a union: GCC 12 keeps the members
/// of a struct in registers, but not those of a union, so that a typed read would go through
/// memory. Taking a missing value stops the process, in every build: the default `T{}` must not
/// become a price.
template <typename T>
class Result {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_nothrow_default_constructible_v<T>);

  using value_type = T;
  using error_type = FieldError;
  using unexpected_type = std::unexpected<FieldError>;

  /// The value `T{}`.
  constexpr Result() noexcept = default;

  // NOLINTNEXTLINE(google-explicit-constructor): a function returns its value directly.
  constexpr Result(const T& value) noexcept : value_(value) {}

  // NOLINTNEXTLINE(google-explicit-constructor): or its error.
  constexpr Result(const std::unexpected<FieldError>& error) noexcept
      : error_(error.error()), good_(false) {}

  /// Constructs the value in place.
  template <typename... Parts>
    requires std::constructible_from<T, Parts...>
  constexpr explicit Result(std::in_place_t /*unused*/, Parts&&... parts) noexcept
      : value_(std::forward<Parts>(parts)...) {}

  // NOLINTNEXTLINE(google-explicit-constructor): usable as a std::expected.
  [[nodiscard]] constexpr operator std::expected<T, FieldError>() const noexcept {
    if (!good_) {
      return std::unexpected(error_);
    }
    return value_;
  }

  [[nodiscard]] constexpr bool has_value() const noexcept { return good_; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return good_; }

  /// Requires has_value(), otherwise the process stops.
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

  /// Returns the value, or throws std::bad_expected_access like std::expected.
  [[nodiscard]] constexpr T value() const { return std::expected<T, FieldError>(*this).value(); }

  /// Requires an error, otherwise the process stops.
  [[nodiscard]] constexpr FieldError error() const noexcept {
    AFFIX_ASSERT(!has_value());
    return error_;
  }

  template <typename U>
    requires std::convertible_to<U, T>
  [[nodiscard]] constexpr T value_or(U&& other) const noexcept {
    return good_ ? value_ : static_cast<T>(std::forward<U>(other));
  }

  /// True for equal values, or equal errors.
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

  /// True for a value that equals `right`.
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
