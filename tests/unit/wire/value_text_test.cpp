// SPDX-License-Identifier: MIT
// Values as printable texts, and an encoder's error in words.
#include "affix/wire/value_text.hpp"

#include "affix/wire/encoder.hpp"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

namespace affix::wire {
namespace {

TEST(ValueText, IsTheTextOnTheWireWithAnEnd) {
  EXPECT_STREQ(to_text(base::Decimal(1050, -2)).c_str(), "10.50");
  EXPECT_STREQ(to_text(base::Decimal(15, 2)).c_str(), "1500");
  EXPECT_STREQ(to_text(base::UtcTime(1, 0)).c_str(), "19700101-00:00:00.000000001");
  EXPECT_STREQ(to_text(base::UtcTime(1, 0), TimePrecision::Seconds).c_str(), "19700101-00:00:00");
  EXPECT_TRUE(to_text(base::UtcTime(1, 1000)).empty());
}

TEST(ValueText, AnExponentWithoutFixTextIsNotHidden) {
  EXPECT_EQ(to_text(base::Decimal(5, -70)), "5e-70");
  const auto longest = to_text(base::Decimal(std::numeric_limits<std::int64_t>::min(), -60));
  EXPECT_EQ(longest.size(), std::string_view(longest.c_str()).size());
}

TEST(ValueText, GoesIntoStreams) {
  std::ostringstream out;
  out << to_text(base::Decimal(1050, -2)) << '|';
  EXPECT_EQ(out.str(), "10.50|");
}

TEST(ValueText, TextThatIsTooLongIsCutOff) {
  FixedText<4> text("abc");
  text.append("def");
  EXPECT_EQ(text, "abcd");
  EXPECT_STREQ(text.c_str(), "abcd");
}

TEST(ErrorText, NamesTheFieldAndTheOneBesideIt) {
  std::array<char, 256> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  EXPECT_TRUE(error_text(encoder).empty());
  encoder.text(58, "");
  EXPECT_EQ(error_text(encoder), "58: a field has no value");
  encoder.begin("FIX.4.4", "D");
  encoder.refuse(EncodeError::FieldOrder, 11, 55);
  encoder.refuse(EncodeError::MissingField, 40, 54);  // The first error stays.
  EXPECT_EQ(error_text(encoder), "11 is out of order: after 55");
  encoder.begin("FIX.4.4", "D");
  encoder.refuse(EncodeError::FieldOrder, 11, 11);
  EXPECT_EQ(error_text(encoder), "11 comes twice");
  encoder.begin("FIX.4.4", "D");
  encoder.refuse(EncodeError::MissingField, 40);
  EXPECT_EQ(error_text(encoder), "40 is missing");
  EXPECT_EQ(error_text(Encoder(buffer)), "");
}

}  // namespace
}  // namespace affix::wire
