// SPDX-License-Identifier: MIT
// Components expanded in place.
#include "affix/dictionary/walk.hpp"

#include "support/small_dictionary.hpp"

#include <gtest/gtest.h>

namespace {

using namespace affix::dictionary;
using namespace affix_test;

TEST(Flatten, ExpandsComponentsAndRequiresOnlyFieldsThatAllRequire) {
  const Dictionary dictionary(small_parts());
  const auto flat = flatten(dictionary, dictionary.find_message("Order")->members);
  ASSERT_EQ(flat.size(), 3U);
  EXPECT_EQ(dictionary.tag(flat[0].member), 453U);
  EXPECT_FALSE(flat[0].required);  // Block is optional in the message.
  EXPECT_TRUE(flat[0].member.required);
  EXPECT_EQ(dictionary.components()[flat[0].component].name, "Parties");
  EXPECT_EQ(flat[0].depth, 2U);
  EXPECT_EQ(dictionary.tag(flat[1].member), 55U);
  EXPECT_EQ(dictionary.components()[flat[1].component].name, "Block");
  EXPECT_EQ(dictionary.tag(flat[2].member), 54U);
  EXPECT_TRUE(flat[2].required);
  EXPECT_EQ(flat[2].component, no_component);
  EXPECT_EQ(flat[2].depth, 0U);
}

}  // namespace
