// SPDX-License-Identifier: MIT
// Spellings of types.
#include "affix/dictionary/field_type.hpp"

#include <cstddef>
#include <gtest/gtest.h>

namespace {

using namespace affix::dictionary;

TEST(FieldType, EverySpellingNamesItsType) {
  for (std::size_t at = 0; at < field_type_count; ++at) {
    const auto type = static_cast<FieldType>(at);
    EXPECT_EQ(field_type_from_text(to_text(type)), type);
    EXPECT_EQ(field_type_from_text(to_quickfix_text(type)), type);
    EXPECT_STRNE(to_text(value_class(type)), "unknown");
  }
  EXPECT_EQ(field_type_from_text("Month-Year"), FieldType::MonthYear);
  EXPECT_EQ(field_type_from_text("DAY_OF_MONTH"), FieldType::DayOfMonth);
  EXPECT_FALSE(field_type_from_text(""));
  EXPECT_FALSE(field_type_from_text("INTEGER"));
  EXPECT_FALSE(field_type_from_text("IN"));
}

}  // namespace
