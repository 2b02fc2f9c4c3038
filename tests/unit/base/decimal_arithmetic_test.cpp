// SPDX-License-Identifier: MIT
// The form of sums and products, and their limits. property/decimal_arithmetic_test.cpp tests their
// exactness.
#include "affix/base/decimal_arithmetic.hpp"

#include "unit/base/mantissa_limits.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>

namespace affix::base {
namespace {

constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();

void expect_form(const std::optional<Decimal>& value, std::int64_t mantissa,
                 std::int32_t exponent) {
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->mantissa, mantissa);
  EXPECT_EQ(value->exponent, exponent);
}

TEST(DecimalArithmetic, ASumHasTheFinerForm) {
  expect_form(add(Decimal("1.5"), Decimal("1.50")), 300, -2);
  expect_form(add(Decimal(10), Decimal("0.25")), 1025, -2);
  expect_form(subtract(Decimal("10.25"), Decimal("0.25")), 1000, -2);
  expect_form(subtract(Decimal(1), Decimal(1, 3)), -999, 0);
}

TEST(DecimalArithmetic, AProductHasTheDigitsOfBoth) {
  expect_form(multiply(Decimal("1.5"), Decimal("1.50")), 2250, -3);
  expect_form(multiply(Decimal("-10.75"), Decimal(100)), -107500, -2);
}

TEST(DecimalArithmetic, DropsZerosRatherThanOverflow) {
  expect_form(add(Decimal(5'000'000'000'000'000'000), Decimal(5'000'000'000'000'000'000)),
              1'000'000'000'000'000'000, 1);
  expect_form(multiply(Decimal(4'000'000'000'000'000'000), Decimal(5)), 2'000'000'000'000'000'000,
              1);
  expect_form(add(Decimal(mantissa_max), Decimal(0, -5)), mantissa_max, 0);
  expect_form(subtract(Decimal(0, -5), Decimal(mantissa_max)), -mantissa_max, 0);
}

TEST(DecimalArithmetic, IsNothingRatherThanWrong) {
  EXPECT_EQ(add(Decimal(mantissa_max), Decimal(1)), std::nullopt);
  EXPECT_EQ(add(Decimal(mantissa_max), Decimal(1, -1)), std::nullopt);
  EXPECT_EQ(subtract(Decimal(mantissa_min), Decimal(1)), std::nullopt);
  EXPECT_EQ(subtract(Decimal(0), Decimal(mantissa_min)), std::nullopt);
  EXPECT_EQ(add(Decimal(1, 40), Decimal(1)), std::nullopt);
  EXPECT_EQ(multiply(Decimal(mantissa_max), Decimal(3)), std::nullopt);
  EXPECT_EQ(multiply(Decimal(mantissa_min), Decimal(-1)), std::nullopt);
}

TEST(DecimalArithmetic, ExponentsHaveTheirEndsToo) {
  EXPECT_EQ(multiply(Decimal(3, highest), Decimal(mantissa_max, 1)), std::nullopt);
  EXPECT_EQ(multiply(Decimal(3, lowest), Decimal(3, -1)), std::nullopt);
  expect_form(multiply(Decimal(3, highest), Decimal(7, 1)), 210, highest);
  expect_form(multiply(Decimal(30, lowest), Decimal(1, -1)), 3, lowest);
  expect_form(multiply(Decimal(0, highest), Decimal(7, highest)), 0, highest);
  EXPECT_EQ(add(Decimal(1, highest), Decimal(1, lowest)), std::nullopt);
}

}  // namespace
}  // namespace affix::base
