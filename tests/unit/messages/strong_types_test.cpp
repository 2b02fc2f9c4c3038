// SPDX-License-Identifier: MIT
// Prices, quantities and the like are decimals that do not mix.
#include "affix/messages/strong_types.hpp"

#include <concepts>
#include <gtest/gtest.h>
#include <type_traits>

namespace affix::messages {
namespace {

static_assert(!std::is_convertible_v<base::Decimal, Price>);
static_assert(!std::is_convertible_v<Price, Qty> && !std::is_constructible_v<Qty, Price>);
static_assert(!std::equality_comparable_with<Price, Qty>);
static_assert(std::is_trivially_copyable_v<Price> && sizeof(Price) == sizeof(base::Decimal));

TEST(DecimalOf, ComparesByValueAndKeepsItsForm) {
  EXPECT_EQ(Price(150, -2), Price(15, -1));
  EXPECT_LT(Qty(99), Qty(1, 2));
  EXPECT_EQ(Price(150, -2).decimal().mantissa, 150);
  EXPECT_EQ(Amt(), Amt(0));
}

}  // namespace
}  // namespace affix::messages
