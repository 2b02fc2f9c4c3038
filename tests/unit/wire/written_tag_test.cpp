// SPDX-License-Identifier: MIT
// Invalid tags, as written.
#include "affix/wire/written_tag.hpp"

#include "affix/wire/header_tags.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace affix::wire {
namespace {

std::optional<std::int64_t> tag_of(const std::string& field) {
  const std::string message = support::make_message("35=0|" + field + "|");
  FieldIndexOf<16> index;
  index_message(message, index);
  return written_tag(MessageView(message, index), 3);
}

}  // namespace

TEST(WrittenTag, IsTheNumberBeforeTheEqualsSign) {
  EXPECT_EQ(tag_of("58=x"), 58);
  EXPECT_EQ(tag_of("0=x"), 0);
  EXPECT_EQ(tag_of("-1=x"), -1);
  EXPECT_EQ(tag_of("4294967296=x"), 4294967296);
  EXPECT_EQ(tag_of("-9223372036854775808=x"), INT64_MIN);
}

TEST(WrittenTag, IsNothingWithoutANumber) {
  for (const char* field :
       {"text", "=x", "a=x", "5a=x", "-=x", "--1=x", "+1=x", " 1=x", "99999999999999999999=x"}) {
    EXPECT_EQ(tag_of(field), std::nullopt) << field;
  }
}

TEST(HeaderTags, AreThoseOfEveryVersion) {
  for (const std::uint32_t tag : {8U, 35U, 52U, 97U, 145U, 370U, 627U, 630U, 1128U, 1156U}) {
    EXPECT_TRUE(is_header_tag(tag)) << tag;
  }
  for (const std::uint32_t tag : {0U, 1U, 10U, 11U, 58U, 93U, 98U, 108U, 1137U}) {
    EXPECT_FALSE(is_header_tag(tag)) << tag;
  }
  EXPECT_TRUE(is_trailer_tag(10) && is_trailer_tag(89) && is_trailer_tag(93));
  EXPECT_FALSE(is_trailer_tag(9));
}

}  // namespace affix::wire
