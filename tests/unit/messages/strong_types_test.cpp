// SPDX-License-Identifier: MIT
// Prices, quantities and the like are decimals that do not mix.
#include "affix/messages/strong_types.hpp"

#include <concepts>
#include <cstdint>
#include <expected>
#include <gtest/gtest.h>
#include <optional>
#include <type_traits>

namespace affix::messages {
namespace {

static_assert(!std::is_convertible_v<base::Decimal, Price>);
static_assert(!std::is_convertible_v<Price, Qty> && !std::is_constructible_v<Qty, Price>);
static_assert(!std::equality_comparable_with<Price, Qty>);
static_assert(!std::is_constructible_v<Price, double> && !std::is_constructible_v<Price, float> &&
              !std::is_constructible_v<Price, bool> && !std::is_constructible_v<Price, char> &&
              !std::is_constructible_v<Price, std::uint64_t> &&
              !std::is_constructible_v<Price, double, int> &&
              !std::is_constructible_v<Price, int, double> &&
              !std::is_constructible_v<Price, int, std::int64_t>);
static_assert(std::is_constructible_v<Qty, std::int64_t> && std::is_constructible_v<Qty, int> &&
              std::is_constructible_v<Qty, std::uint32_t>);
static_assert(std::is_trivially_copyable_v<Price> && sizeof(Price) == sizeof(base::Decimal));

TEST(DecimalOf, ComparesByValueAndKeepsItsForm) {
  EXPECT_EQ(Price(150, -2), Price(15, -1));
  EXPECT_LT(Qty(99), Qty(1, 2));
  EXPECT_EQ(Price(150, -2).decimal().mantissa, 150);
  EXPECT_EQ(Amt(), Amt(0));
}

TEST(DecimalOf, IsMadeOfTextsAndGivesThem) {
  EXPECT_EQ(Price("10.75"), Price(1075, -2));
  EXPECT_EQ(to_text(Price("10.50")), "10.50");
  EXPECT_EQ(Price::parse("10.75"), Price("10.75"));
  EXPECT_EQ(Price::parse("10,75"), std::unexpected(wire::FieldError::Format));
  EXPECT_EQ(Qty::parse(""), std::unexpected(wire::FieldError::Empty));
  EXPECT_EQ(Qty::parse("9223372036854775808"), std::unexpected(wire::FieldError::Range));
  EXPECT_EQ(Price("1.0"), Price("1.00"));
}

TEST(DecimalOf, IsReckonedWithExactly) {
  EXPECT_EQ(add(Price("10.75"), PriceOffset("-0.25")), Price("10.5"));
  EXPECT_EQ(subtract(Price("10.75"), PriceOffset("0.25")), Price("10.5"));
  EXPECT_EQ(add(Qty(100), Qty("0.5")), Qty("100.5"));
  EXPECT_EQ(subtract(Qty(100), Qty(40)), Qty(60));
  EXPECT_EQ(multiply(Price("10.75"), Qty(300)), Amt("3225"));
  EXPECT_EQ(multiply(Amt("200.00"), Percentage("0.05")), Amt(10));
  EXPECT_EQ(multiply(Qty(7), base::Decimal(3)), Qty(21));
  EXPECT_EQ(add(Qty(INT64_MAX), Qty(1)), std::nullopt);
  EXPECT_EQ(multiply(Price(INT64_MAX), Qty(3)), std::nullopt);
}

}  // namespace
}  // namespace affix::messages
