// SPDX-License-Identifier: MIT
#include "affix/wire/typed_fields.hpp"

#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::wire {
namespace {

using base::CivilDate;
using base::Decimal;
using base::UtcTime;

class TypedFieldsTest : public testing::Test {
 protected:
  TypedFieldsTest() { index_message(bytes, index); }

  std::string bytes = support::make_message(
      "35=D|34=7|38=12abc|44=10.50|54=1|43=Y|60=20251231-18:21:36.457|75=20251231|273=18:21:36|"
      "1079=07:39+05:30|"
      "1132=20060901-07:39Z|200=202512w2|205=31|6215=M3|277=A B|18=1 "
      "G|58=|95=4|96=a|b=|20001=99999999999999999999|");
  FieldIndexOf<64> index;
  MessageView view{bytes, index};
};

template <typename T>
void expect_error(const Result<T>& result, FieldError error) {
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error(), error);
}

TEST_F(TypedFieldsTest, ConvertEveryType) {
  ASSERT_TRUE(this->index.clean());
  EXPECT_EQ(view.text(35), "D");
  EXPECT_EQ(view.integer(34), 7);
  EXPECT_EQ(view.integer<std::uint64_t>(34), 7U);
  EXPECT_EQ(view.decimal(44), (Decimal{1050, -2}));
  EXPECT_EQ(view.character(54), '1');
  EXPECT_EQ(view.boolean(43), true);
  EXPECT_EQ(view.utc_time(60), (UtcTime{1'767'205'296'457'000'000, 0}));
  EXPECT_EQ(view.date(75), (CivilDate{2025, 12, 31}));
  EXPECT_EQ(view.time_of_day(273), (TimeOfDay{66'096 * base::ns_per_second, 0}));
  EXPECT_EQ(view.zoned_time_of_day(1079)->offset_minutes, 330);
  EXPECT_EQ(view.zoned_time(1132)->zone, ZoneForm::Utc);
  EXPECT_EQ(view.month_year(200), (MonthYear{2025, 12, 0, 2}));
  EXPECT_EQ(view.day_of_month(205), 31);
  EXPECT_EQ(view.tenor(6215), (Tenor{'M', 3}));
  EXPECT_TRUE(view.multiple_string(277)->contains("B"));
  EXPECT_TRUE(view.multiple_character(18)->contains("G"));
  EXPECT_EQ(view.data(96),
            "a\x01"
            "b=");
}

TEST_F(TypedFieldsTest, MissingIsNotZero) {
  expect_error(view.text(999), FieldError::Missing);
  expect_error(view.data(999), FieldError::Missing);
  expect_error(view.integer(999), FieldError::Missing);
  expect_error(view.decimal(999), FieldError::Missing);
  expect_error(view.character(999), FieldError::Missing);
  expect_error(view.boolean(999), FieldError::Missing);
  expect_error(view.utc_time(999), FieldError::Missing);
  expect_error(view.date(999), FieldError::Missing);
  expect_error(view.time_of_day(999), FieldError::Missing);
  expect_error(view.zoned_time(999), FieldError::Missing);
  expect_error(view.zoned_time_of_day(999), FieldError::Missing);
  expect_error(view.month_year(999), FieldError::Missing);
  expect_error(view.day_of_month(999), FieldError::Missing);
  expect_error(view.tenor(999), FieldError::Missing);
  expect_error(view.multiple_string(999), FieldError::Missing);
  expect_error(view.multiple_character(999), FieldError::Missing);
}

TEST_F(TypedFieldsTest, EmptyIsNotMissing) {
  EXPECT_EQ(view.find(58), "");
  expect_error(view.text(58), FieldError::Empty);
  expect_error(view.integer(58), FieldError::Empty);
  expect_error(view.decimal(58), FieldError::Empty);
  expect_error(view.utc_time(58), FieldError::Empty);
}

TEST_F(TypedFieldsTest, WrongTextsStayReadable) {
  expect_error(view.integer(38), FieldError::Format);
  expect_error(view.decimal(38), FieldError::Format);
  EXPECT_EQ(view.text(38), "12abc");
  expect_error(view.integer(20'001), FieldError::Range);
  expect_error(view.decimal(20'001), FieldError::Range);
  EXPECT_EQ(view.text(20'001), "99999999999999999999");
}

}  // namespace
}  // namespace affix::wire
