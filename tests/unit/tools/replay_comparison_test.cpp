// SPDX-License-Identifier: MIT
// Pairing of answers, differences, and consistently renamed values.
#include "replay/comparison.hpp"
#include "replay/report.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::replay {
namespace {

RecordedMessage report(std::vector<RecordedField> body, std::string type = "8") {
  RecordedMessage message;
  message.type = std::move(type);
  message.body = std::move(body);
  return message;
}

TEST(ReplayComparison, TheSameAnswersAreTheSameWhicheverComesFirst) {
  Comparison comparison({});
  comparison.expect(report({{11, "A"}, {39, "0"}}));
  EXPECT_EQ(comparison.open_count(), 1U);
  comparison.receive(report({{39, "0"}, {11, "A"}}));  // The order of fields is no difference.
  comparison.receive(report({{11, "B"}, {39, "2"}}));
  EXPECT_FALSE(same(comparison));
  comparison.expect(report({{11, "B"}, {39, "2"}}));
  EXPECT_EQ(comparison.same_count(), 2U);
  EXPECT_TRUE(same(comparison));
}

TEST(ReplayComparison, AnswersOfOneOrderAreHeldToEachOtherInTheirOrder) {
  Comparison comparison({});
  comparison.expect(report({{11, "A"}, {39, "0"}}));
  comparison.expect(report({{11, "B"}, {39, "0"}}));
  comparison.expect(report({{11, "A"}, {39, "2"}}));
  comparison.receive(report({{11, "B"}, {39, "0"}}));
  comparison.receive(report({{11, "A"}, {39, "0"}}));
  comparison.receive(report({{11, "A"}, {39, "1"}}));
  EXPECT_EQ(comparison.same_count(), 2U);
  ASSERT_EQ(comparison.differences().size(), 1U);
  const FieldDifference& difference = comparison.differences()[0].fields.at(0);
  EXPECT_EQ(difference.tag, 39U);
  EXPECT_EQ(difference.before, "2");
  EXPECT_EQ(difference.after, "1");
}

TEST(ReplayComparison, FieldsThatAreThereOnOneSideOnlyDiffer) {
  Comparison comparison({});
  comparison.expect(report({{11, "A"}, {58, "was"}}));
  comparison.receive(report({{11, "A"}, {103, "6"}}));
  ASSERT_EQ(comparison.differences().size(), 1U);
  const auto& fields = comparison.differences()[0].fields;
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].tag, 58U);
  EXPECT_EQ(fields[0].after, "");
  EXPECT_EQ(fields[1].tag, 103U);
  EXPECT_EQ(fields[1].before, "");
}

TEST(ReplayComparison, EntriesOfGroupsAreComparedInTheirOrder) {
  Comparison comparison({});
  comparison.expect(report({{453, "2"}, {448, "X"}, {448, "Y"}}));
  comparison.receive(report({{453, "2"}, {448, "Y"}, {448, "X"}}));
  ASSERT_EQ(comparison.differences().size(), 1U);
  EXPECT_EQ(comparison.differences()[0].fields.size(), 2U);
}

TEST(ReplayComparison, IgnoredFieldsMayDifferAndBeAbsent) {
  Comparison comparison({.ignored = {60, 58}, .renamed = {}});
  comparison.expect(report({{11, "A"}, {60, "1"}, {58, "x"}}));
  comparison.receive(report({{11, "A"}, {60, "2"}}));
  comparison.expect(report({{11, "B"}}));
  comparison.receive(report({{11, "B"}, {60, "2"}}));
  EXPECT_TRUE(same(comparison));
}

TEST(ReplayComparison, RejectsNameNumbersOfTheirOwnSession) {
  Comparison comparison({});
  comparison.expect(report({{45, "5"}, {373, "1"}}, "3"));
  comparison.receive(report({{45, "9"}, {373, "1"}}, "3"));
  EXPECT_TRUE(same(comparison));
}

TEST(ReplayComparison, RenamedValuesMustBeUsedAlike) {
  Comparison comparison({.ignored = {}, .renamed = {37}});
  EXPECT_EQ(comparison.current_value(37, "old"), "old");
  comparison.expect(report({{11, "A"}, {37, "old"}}));
  comparison.receive(report({{11, "A"}, {37, "new"}}));
  comparison.expect(report({{11, "A"}, {37, "old"}}));
  comparison.receive(report({{11, "A"}, {37, "new"}}));
  EXPECT_TRUE(same(comparison));
  EXPECT_EQ(comparison.current_value(37, "old"), "new");
  EXPECT_EQ(comparison.current_value(17, "old"), "old");
  // One old value that becomes two, and two that become one.
  comparison.expect(report({{11, "A"}, {37, "old"}}));
  comparison.receive(report({{11, "A"}, {37, "another"}}));
  comparison.expect(report({{11, "B"}, {37, "second"}}));
  comparison.receive(report({{11, "B"}, {37, "new"}}));
  EXPECT_EQ(comparison.differences().size(), 2U);
}

TEST(ReplayComparison, OtherTypesDoNotBelongTogether) {
  Comparison comparison({});
  comparison.expect(report({{11, "A"}}, "8"));
  comparison.receive(report({{11, "A"}}, "9"));
  EXPECT_EQ(comparison.missing().size(), 1U);
  EXPECT_EQ(comparison.extra().size(), 1U);
}

}  // namespace
}  // namespace affix::tools::replay
