// SPDX-License-Identifier: MIT
// Sums, differences, products, comparison and texts of decimals against schoolbook arithmetic on
// digits: the same value, or no result exactly when no mantissa of 64 bits has it.
#include "affix/base/decimal_arithmetic.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/value_text.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <ostream>
#include <rapidcheck/gtest.h>
#include <string>
#include <utility>

namespace affix::base {

void showValue(const Decimal& value, std::ostream& out) {
  out << value.mantissa << "e" << value.exponent;
}

namespace {

/// Digits of an unsigned number, least significant first, without leading zeros.
using Digits = std::string;

Digits digits_of(std::int64_t value) {
  Digits digits = std::to_string(value);
  std::erase(digits, '-');
  std::ranges::reverse(digits);
  return digits == "0" ? Digits() : digits;
}

Digits trimmed(Digits digits) {
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
  }
  return digits;
}

std::strong_ordering compare(const Digits& left, const Digits& right) {
  if (left.size() != right.size()) {
    return left.size() <=> right.size();
  }
  return std::lexicographical_compare_three_way(left.rbegin(), left.rend(), right.rbegin(),
                                                right.rend());
}

Digits sum(const Digits& left, const Digits& right) {
  Digits result;
  int carry = 0;
  for (std::size_t at = 0; at < std::max(left.size(), right.size()) || carry != 0; ++at) {
    const int digit =
        carry + (at < left.size() ? left[at] - '0' : 0) + (at < right.size() ? right[at] - '0' : 0);
    result += static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  return result;
}

/// `left` is at least `right`.
Digits difference(const Digits& left, const Digits& right) {
  Digits result;
  int borrow = 0;
  for (std::size_t at = 0; at < left.size(); ++at) {
    int digit = left[at] - '0' - borrow - (at < right.size() ? right[at] - '0' : 0);
    borrow = digit < 0 ? 1 : 0;
    digit += borrow * 10;
    result += static_cast<char>('0' + digit);
  }
  return trimmed(result);
}

Digits product(const Digits& left, const Digits& right) {
  Digits result;
  for (std::size_t at = 0; at < left.size(); ++at) {
    for (int times = 0; times < left[at] - '0'; ++times) {
      result = sum(result, trimmed(Digits(at, '0') + right));
    }
  }
  return trimmed(result);
}

/// An exact number of any size.
struct Number {
  bool negative = false;
  Digits digits;
  std::int64_t exponent = 0;

  explicit Number(Decimal value)
      : negative(value.mantissa < 0), digits(digits_of(value.mantissa)), exponent(value.exponent) {}

  Number(bool is_negative, Digits of_digits, std::int64_t of_exponent)
      : negative(is_negative), digits(std::move(of_digits)), exponent(of_exponent) {}
};

Digits at_exponent(const Number& number, std::int64_t exponent) {
  return number.digits.empty()
             ? Digits()
             : Digits(static_cast<std::size_t>(number.exponent - exponent), '0') + number.digits;
}

Number operator+(const Number& left, const Number& right) {
  const std::int64_t exponent = std::min(left.exponent, right.exponent);
  const Digits left_digits = at_exponent(left, exponent);
  const Digits right_digits = at_exponent(right, exponent);
  if (left.negative == right.negative) {
    return {left.negative, sum(left_digits, right_digits), exponent};
  }
  return compare(left_digits, right_digits) >= 0
             ? Number(left.negative, difference(left_digits, right_digits), exponent)
             : Number(right.negative, difference(right_digits, left_digits), exponent);
}

Number operator-(const Number& number) {
  return {!number.negative, number.digits, number.exponent};
}

Number operator*(const Number& left, const Number& right) {
  return {left.negative != right.negative, product(left.digits, right.digits),
          left.exponent + right.exponent};
}

/// Without trailing zeros: the value's unique form as text.
std::string form(const Number& number) {
  const std::size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  const Digits kept = number.digits.substr(zeros);
  return kept.empty()
             ? "0"
             : (number.negative ? "-" : "") + std::string(kept.rbegin(), kept.rend()) + "e" +
                   std::to_string(number.exponent + static_cast<std::int64_t>(zeros));
}

/// True if it fits a mantissa of 64 bits; exponents are small here.
bool representable(const Number& number) {
  const std::size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  const Digits limit = number.negative ? "8085774586302733229" : "7085774586302733229";
  return compare(number.digits.substr(zeros), limit) <= 0;
}

void expect_exact(const std::optional<Decimal>& result, const Number& wanted) {
  RC_ASSERT(result.has_value() == representable(wanted));
  if (result) {
    RC_ASSERT(form(Number(*result)) == form(wanted));
  }
}

/// Mantissas of all sizes, with and without trailing zeros, at the limits, and exponents near each
/// other and far apart.
rc::Gen<Decimal> decimals() {
  const auto mantissa = rc::gen::oneOf(
      rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-2000, 2000),
      rc::gen::element<std::int64_t>(INT64_MAX, INT64_MIN, INT64_MAX - 7, INT64_MIN + 8, 10, -1,
                                     1'000'000'000'000'000'000, -9'000'000'000'000'000'000,
                                     4'611'686'018'427'387'904, 3'037'000'499),
      rc::gen::map(
          rc::gen::pair(rc::gen::inRange<std::int64_t>(-99'999, 99'999), rc::gen::inRange(0, 14)),
          [](std::pair<std::int64_t, int> parts) {
            for (int zero = 0; zero < parts.second; ++zero) {
              parts.first *= 10;
            }
            return parts.first;
          }));
  return rc::gen::map(
      rc::gen::pair(mantissa, rc::gen::oneOf(rc::gen::inRange(-6, 3), rc::gen::inRange(-45, 45))),
      [](const std::pair<std::int64_t, int>& parts) { return Decimal(parts.first, parts.second); });
}

RC_GTEST_PROP(DecimalArithmetic, SumsAreExactOrNothing, ()) {
  const Decimal left = *decimals();
  const Decimal right = *decimals();
  expect_exact(add(left, right), Number(left) + Number(right));
  expect_exact(subtract(left, right), Number(left) + -Number(right));
}

RC_GTEST_PROP(DecimalArithmetic, ProductsAreExactOrNothing, ()) {
  const Decimal left = *decimals();
  const Decimal right = *decimals();
  expect_exact(multiply(left, right), Number(left) * Number(right));
}

RC_GTEST_PROP(DecimalArithmetic, ComparisonIsTheDifferencesSign, ()) {
  const Decimal left = *decimals();
  const Decimal right = *decimals();
  const Number rest = Number(left) + -Number(right);
  RC_ASSERT((left == right) == (form(rest) == "0"));
  RC_ASSERT((left < right) == (form(rest) != "0" && rest.negative));
}

RC_GTEST_PROP(DecimalArithmetic, TextsParseBackToTheValue, ()) {
  const Decimal value = *decimals();
  const auto text = wire::to_text(value);
  if (const auto back = wire::parse_decimal(text)) {
    RC_ASSERT(*back == value);
  } else {
    // Zeros appended for the exponent no longer fit a mantissa when read.
    RC_ASSERT(back.error() == wire::FieldError::Range);
    RC_ASSERT(!value.mantissa_at(0).has_value());
  }
}

}  // namespace
}  // namespace affix::base
