// SPDX-License-Identifier: MIT
#include "affix/wire/result.hpp"

#include "affix/base/decimal.hpp"

#include <concepts>
#include <expected>
#include <gtest/gtest.h>
#include <string_view>
#include <type_traits>
#include <utility>

namespace affix::wire {
namespace {

using base::Decimal;

Result<int> half(int number) {
  if (number % 2 != 0) {
    return std::unexpected(FieldError::Range);
  }
  return number / 2;
}

// Lets it be passed in registers.
static_assert(std::is_trivially_copyable_v<Result<std::string_view>>);
// A value or an error never converts to bool, nor a result to its value.
static_assert(!std::convertible_to<Result<int>, bool> && !std::convertible_to<Result<int>, int>);
static_assert(std::convertible_to<Result<int>, std::expected<int, FieldError>>);

// All of it is also available at compile time.
static_assert(*Result<int>(3) == 3 && Result<int>(3) == 3 && Result<int>(3).value() == 3);
static_assert(Result<int>(std::unexpected(FieldError::Empty)).error() == FieldError::Empty);

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = half(8);
  ASSERT_TRUE(good.has_value());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(*good, 4);
  EXPECT_EQ(good.value(), 4);
  EXPECT_EQ(good.value_or(7), 4);

  const Result<int> bad = half(7);
  ASSERT_FALSE(bad.has_value());
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.error(), FieldError::Range);
  EXPECT_EQ(bad.value_or(7), 7);
}

// Also in release builds: a placeholder for a missing price must not be sent.
TEST(Result, AValueThatIsNotThereStopsTheProcess) {
  const Result<Decimal> malformed = std::unexpected(FieldError::Format);
  EXPECT_DEATH(static_cast<void>(*malformed), "assertion failed: has_value.*result.hpp");
  EXPECT_DEATH(static_cast<void>(malformed->mantissa), "assertion failed: has_value");
  EXPECT_DEATH(static_cast<void>(half(8).error()), "assertion failed: !has_value");
}

TEST(Result, ReachesIntoItsValue) {
  Result<Decimal> price(std::in_place, 1050, -2);
  EXPECT_EQ(price->mantissa, 1050);
  price->mantissa = 1100;
  *price = Decimal{price->mantissa, -1};
  EXPECT_EQ(*std::as_const(price), (Decimal{11'000, -2}));
  EXPECT_EQ(std::as_const(price)->exponent, -1);
}

TEST(Result, ComparesWithValuesErrorsAndItsLike) {
  EXPECT_EQ(half(8), 4);
  EXPECT_NE(half(8), 5);
  EXPECT_NE(half(7), 0);  // Its placeholder for a value is none.
  EXPECT_EQ(half(7), std::unexpected(FieldError::Range));
  EXPECT_NE(half(7), std::unexpected(FieldError::Format));
  EXPECT_NE(half(8), std::unexpected(FieldError::Missing));
  EXPECT_EQ(half(8), half(8));
  EXPECT_NE(half(8), half(10));
  EXPECT_EQ(half(7), half(9));
  EXPECT_NE(half(0), half(7));
  EXPECT_EQ(Result<std::string_view>("A"), "A");
}

TEST(Result, ComparesWithAStandardExpected) {
  using Expected = std::expected<int, FieldError>;
  EXPECT_EQ(half(8), Expected(4));
  EXPECT_EQ(Expected(4), half(8));
  EXPECT_NE(half(8), Expected(5));
  EXPECT_EQ(half(7), Expected(std::unexpected(FieldError::Range)));
  EXPECT_EQ(Expected(std::unexpected(FieldError::Range)), half(7));
  EXPECT_NE(half(7), Expected(std::unexpected(FieldError::Empty)));
  EXPECT_NE(half(7), Expected(0));
  EXPECT_NE(half(0), Expected(std::unexpected(FieldError::Missing)));
}

TEST(Result, BecomesAStandardExpected) {
  const std::expected<int, FieldError> good = half(8);
  EXPECT_EQ(good.value(), 4);
  const std::expected<int, FieldError> bad = half(7);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error(), FieldError::Range);
}

#ifdef __cpp_exceptions
TEST(Result, ThrowsLikeAStandardExpected) {
  const Result<int> bad = half(7);
  try {
    static_cast<void>(bad.value());
    FAIL() << "a value came from nowhere";
  } catch (const std::bad_expected_access<FieldError>& thrown) {
    EXPECT_EQ(thrown.error(), FieldError::Range);
  }
}
#endif

}  // namespace
}  // namespace affix::wire
