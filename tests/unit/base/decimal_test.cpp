// SPDX-License-Identifier: MIT
// Exact decimals: value comparison across exponents, rescaling that refuses to lose digits.
#include "affix/base/decimal.hpp"

#include "unit/base/mantissa_limits.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace affix::base {
namespace {

TEST(Decimal, ComparesValuesNotRepresentations) {
  EXPECT_EQ((Decimal{150, -2}), (Decimal{15, -1}));
  EXPECT_LT((Decimal{149, -2}), (Decimal{15, -1}));
  EXPECT_GT((Decimal{-149, -2}), (Decimal{-15, -1}));
  EXPECT_LT((Decimal{-1, 0}), (Decimal{1, -9}));
  EXPECT_EQ((Decimal{0, 5}), (Decimal{0, -5}));
}

TEST(Decimal, ComparesFarExponentsWithoutOverflow) {
  EXPECT_GT((Decimal{1, 1000}), (Decimal{mantissa_max, 0}));
  EXPECT_LT((Decimal{-1, 1000}), (Decimal{mantissa_min, 0}));
  EXPECT_GT((Decimal{mantissa_max, 0}), (Decimal{mantissa_max, -1}));
  EXPECT_GT((Decimal{1, 19}), (Decimal{mantissa_max, 0}));
  EXPECT_LT((Decimal{mantissa_min, 19}), (Decimal{mantissa_min, 0}));
  EXPECT_GT((Decimal{1, std::numeric_limits<std::int32_t>::max()}),
            (Decimal{1, std::numeric_limits<std::int32_t>::min()}));
}

TEST(Decimal, RescalesExactlyOrNotAtAll) {
  EXPECT_EQ((Decimal{15, -1}).mantissa_at(-2), 150);
  EXPECT_EQ((Decimal{150, -2}).mantissa_at(-1), 15);
  EXPECT_EQ((Decimal{151, -2}).mantissa_at(-1), std::nullopt);
  EXPECT_EQ((Decimal{mantissa_max, 0}).mantissa_at(-1), std::nullopt);
  EXPECT_EQ((Decimal{0, 2'000'000'000}).mantissa_at(-2'000'000'000), 0);
  EXPECT_EQ((Decimal{1, 2'000'000'000}).mantissa_at(0), std::nullopt);
}

TEST(Decimal, NormalizesToOneFormPerValue) {
  const Decimal normal = Decimal{-15000, -3}.normalized();
  EXPECT_EQ(normal.mantissa, -15);
  EXPECT_EQ(normal.exponent, 0);
  EXPECT_EQ((Decimal{0, -7}).normalized().exponent, 0);
}

TEST(Decimal, NormalizesAsFarAsTheExponentGoes) {
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  const Decimal normal = Decimal(1000, largest - 1).normalized();
  EXPECT_EQ(normal.mantissa, 100);
  EXPECT_EQ(normal.exponent, largest);
}

TEST(Decimal, IsTheValueOfItsLiteral) {
  constexpr auto form = [](Decimal value) { return std::pair(value.mantissa, value.exponent); };
  EXPECT_EQ(form(Decimal("10.75")), form(Decimal(1075, -2)));
  EXPECT_EQ(form(Decimal("10.50")), form(Decimal(1050, -2)));
  EXPECT_EQ(form(Decimal("-.5")), form(Decimal(-5, -1)));
  EXPECT_EQ(form(Decimal("23.")), form(Decimal(23)));
  EXPECT_EQ(form(Decimal("9223372036854775807")), form(Decimal(mantissa_max)));
  EXPECT_EQ(form(Decimal("0")), form(Decimal()));
}

}  // namespace
}  // namespace affix::base
