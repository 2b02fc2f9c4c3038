// SPDX-License-Identifier: MIT
#include "affix/wire/index.hpp"

#include <gtest/gtest.h>
#include <set>

namespace affix::wire {
namespace {

TEST(DataFields, KnowsThePairsOfTheStandard) {
  const DataFields& fields = DataFields::standard();
  EXPECT_EQ(fields.data_tag_of(90), 91U);
  EXPECT_EQ(fields.data_tag_of(93), 89U);
  EXPECT_EQ(fields.data_tag_of(95), 96U);
  EXPECT_EQ(fields.data_tag_of(212), 213U);
  EXPECT_EQ(fields.data_tag_of(618), 619U);
  EXPECT_EQ(fields.data_tag_of(1184), 1185U);
  EXPECT_EQ(fields.data_tag_of(2372), 2371U);
  EXPECT_EQ(fields.data_tag_of(43111), 42982U);
  EXPECT_EQ(fields.size(), 84U);
}

TEST(DataFields, KnowsNothingElse) {
  const DataFields& fields = DataFields::standard();
  std::uint32_t known = 0;
  for (std::uint32_t tag = 0; tag < 100000; ++tag) {
    known += fields.data_tag_of(tag) != 0 ? 1U : 0U;
  }
  EXPECT_EQ(known, fields.size());
  EXPECT_EQ(fields.data_tag_of(9), 0U);
  EXPECT_EQ(fields.data_tag_of(0), 0U);
}

TEST(DataFields, CopiesAreIndependent) {
  DataFields own;
  EXPECT_TRUE(own.add(5001, 5002));
  EXPECT_EQ(own.data_tag_of(5001), 5002U);
  EXPECT_EQ(own.data_tag_of(95), 96U);
  EXPECT_EQ(DataFields::standard().data_tag_of(5001), 0U);
}

TEST(DataFields, ReplacesAndRefuses) {
  DataFields own = DataFields::none();
  EXPECT_TRUE(own.add(95, 96));
  EXPECT_TRUE(own.add(95, 97));
  EXPECT_EQ(own.data_tag_of(95), 97U);
  EXPECT_EQ(own.size(), 1U);
  EXPECT_FALSE(own.add(0, 1));
  EXPECT_FALSE(own.add(1, 0));
}

TEST(DataFields, HoldsAsManyAsItSaysAndNoMore) {
  DataFields own = DataFields::none();
  for (std::uint32_t pair = 0; pair < DataFields::pairs_max; ++pair) {
    ASSERT_TRUE(own.add(1000 + pair * 512, 1 + pair));  // All of them begin at one slot.
  }
  EXPECT_FALSE(own.add(7, 8));
  EXPECT_TRUE(own.add(1000, 9));
  for (std::uint32_t pair = 1; pair < DataFields::pairs_max; ++pair) {
    EXPECT_EQ(own.data_tag_of(1000 + pair * 512), 1 + pair);
  }
  EXPECT_EQ(own.data_tag_of(7), 0U);
}

TEST(DataFields, FilterPassesEveryLengthTag) {
  const DataFields& fields = DataFields::standard();
  std::uint32_t passed = 0;
  for (std::uint32_t tag = 1; tag < 50000; ++tag) {
    EXPECT_TRUE(fields.maybe_length(tag) || fields.data_tag_of(tag) == 0) << tag;
    passed += tag < DataFields::filter_end && fields.maybe_length(tag) ? 1U : 0U;
  }
  EXPECT_LT(passed, DataFields::filter_end / 5);
  EXPECT_TRUE(DataFields::none().maybe_length(2147483647));
  EXPECT_FALSE(DataFields::none().maybe_length(95));
}

/// A common tag that shares its bit with a length tag would cost every message with it a search of
/// the list.
TEST(DataFields, FilterPassesCommonTags) {
  const std::set<std::uint32_t> common{
      1,    2,    3,    4,    5,    6,    7,   8,   9,   10,  11,  12,  13,  14,  15,  16,  17,
      18,   19,   20,   21,   22,   23,   29,  30,  31,  32,  34,  35,  36,  37,  38,  39,  40,
      41,   42,   43,   44,   45,   46,   47,  48,  49,  50,  52,  54,  55,  56,  57,  58,  59,
      60,   61,   62,   63,   64,   65,   66,  70,  75,  76,  77,  78,  79,  80,  81,  83,  97,
      98,   99,   100,  102,  103,  108,  110, 111, 112, 120, 122, 123, 126, 136, 137, 138, 139,
      140,  141,  146,  150,  151,  152,  155, 156, 157, 158, 159, 167, 168, 192, 193, 194, 195,
      198,  200,  201,  202,  205,  207,  210, 211, 231, 262, 263, 264, 265, 266, 267, 268, 269,
      270,  271,  272,  273,  276,  277,  278, 279, 280, 281, 290, 309, 311, 336, 337, 346, 371,
      372,  373,  375,  378,  379,  380,  381, 382, 386, 387, 388, 389, 423, 432, 434, 437, 438,
      447,  448,  452,  453,  460,  461,  518, 519, 520, 521, 523, 526, 527, 528, 529, 541, 553,
      554,  555,  571,  578,  579,  581,  582, 583, 584, 587, 588, 600, 602, 624, 625, 655, 687,
      711,  731,  732,  768,  789,  790,  797, 802, 803, 828, 829, 851, 854, 880, 893, 911, 912,
      1003, 1128, 1137, 1180, 1181, 1300, 1350};
  for (const std::uint32_t tag : common) {
    EXPECT_FALSE(DataFields::standard().maybe_length(tag)) << tag;
  }
}

}  // namespace
}  // namespace affix::wire
