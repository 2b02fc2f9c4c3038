// SPDX-License-Identifier: MIT
#include "affix/wire/message_shape.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::wire {
namespace {

using Shape = MessageShape<16>;

/// True if a message with this body has the shape.
bool is_of(const Shape& shape, const std::string& body) {
  FieldIndexOf<64> index;
  index_message(support::make_message(body), index);
  return shape.is_of(index);
}

Shape shape_of(const std::string& body) {
  FieldIndexOf<64> index;
  index_message(support::make_message(body), index);
  Shape shape;
  shape.remember(index);
  return shape;
}

TEST(MessageShape, IsOfMessagesWithTheSameTagsInOneOrder) {
  const Shape shape = shape_of("35=D|11=A|55=IBM|");
  EXPECT_TRUE(is_of(shape, "35=D|11=A|55=IBM|"));
  EXPECT_TRUE(is_of(shape, "35=8|11=longer|55=x|"));
  EXPECT_FALSE(is_of(shape, "35=D|55=IBM|11=A|"));
  EXPECT_FALSE(is_of(shape, "35=D|11=A|"));
  EXPECT_FALSE(is_of(shape, "35=D|11=A|55=IBM|54=1|"));
  EXPECT_FALSE(is_of(shape, "35=D|11=A|311=IBM|"));  // The same low byte.
}

TEST(MessageShape, IsOfNoMessageWithAnEmptyValue) {
  EXPECT_FALSE(is_of(shape_of("35=D|11=A|55=IBM|"), "35=D|11=|55=IBM|"));
  // For any source of the shape.
  EXPECT_TRUE(is_of(shape_of("35=D|11=|55=IBM|"), "35=D|11=A|55=IBM|"));
}

TEST(MessageShape, HoldsNothingBeforeTheFirst) {
  const Shape none;
  EXPECT_FALSE(is_of(none, "35=0|"));
  FieldIndexOf<16> empty;
  EXPECT_FALSE(none.is_of(empty));
  Shape shape;
  shape.remember(empty);
  EXPECT_FALSE(shape.is_of(empty));
}

TEST(MessageShape, LongMessagesHaveNone) {
  std::string body = "35=D|";
  for (std::uint32_t fields = 4; fields < Shape::fields_max; ++fields) {
    body += "58=x|";
  }
  EXPECT_TRUE(is_of(shape_of(body), body));
  body += "58=x|";
  Shape shape = shape_of("35=D|11=A|");
  FieldIndexOf<64> index;
  index_message(support::make_message(body), index);
  ASSERT_EQ(index.count, Shape::fields_max + 1);
  shape.remember(index);
  EXPECT_FALSE(shape.is_of(index));
  EXPECT_FALSE(is_of(shape, "35=D|11=A|"));
}

}  // namespace
}  // namespace affix::wire
