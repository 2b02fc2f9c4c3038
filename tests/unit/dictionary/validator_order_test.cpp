// SPDX-License-Identifier: MIT
// QuickFIX's order of faults and its own formats, which counterparties expect.

#include "affix/dictionary/validator.hpp"

#include "validator_case.hpp"

#include <vector>

namespace affix::dictionary_test {

namespace {

void expect_each_quickfix(const std::vector<JudgedBody>& cases, Rules rules = Rules::all()) {
  expect_each(cases, rules, FaultOrder::Quickfix);
}

}  // namespace

TEST(QuickfixOrder, SaysNothingOfGoodMessages) {
  expect_each_quickfix({{"38=1|54=2|11=X|", "clean"},
                        {"11=X|54=1|38=10|453=2|448=P|452=1|448=Q|452=12|447=n|58=t|", "clean"}});
}

TEST(QuickfixOrder, StructureComesFirst) {
  expect_each_quickfix({
      {"54=9|777=1|115=C|", "section_order 115"},
      {"93=3|89=abc|38=x|11=X|115=C|", "section_order 38"},
      {"777=1|115=C|11=X|54=1|38=1|", "section_order 115"},
  });
}

TEST(QuickfixOrder, ThenTheType) {
  EXPECT_EQ(judge(small(), "35=Z|49=|7777=1|", Rules::all(), FaultOrder::Quickfix),
            "unknown_msg_type");
}

TEST(QuickfixOrder, ThenMissingFieldsByTag) {
  expect_each_quickfix({
      {"58=|", "required_missing 11"},
      {"11=X|58=|", "required_missing 38"},
      {"11=X|38=x|", "required_missing 54"},
      {"11=|54=1|38=10|453=1|448=P|", "required_missing 452"},
      {"54=1|38=10|453=1|448=P|", "required_missing 11"},
  });
  EXPECT_EQ(judge(small(), "35=D|49=A|34=2|58=|", Rules::all(), FaultOrder::Quickfix),
            "required_missing 52");
}

TEST(QuickfixOrder, ThenFieldsBySectionAndTagWhateverTheirPlace) {
  expect_each_quickfix({
      {"54=9|38=x|11=|", "empty_value 11"},
      {"54=9|38=x|11=A|", "value_format 38"},
      {"777=1|54=9|38=1|11=A|", "value_not_listed 54"},
      {"777=|54=1|38=1|11=A|", "empty_value 777"},
      {"777=1|54=1|38=1|11=A|", "unknown_tag 777"},
      {"9999=1|99=1|54=1|38=1|11=A|", "tag_not_allowed 99"},
      {"99=x|54=1|38=1|11=A|", "value_format 99"},
      {"54=1|38=1|11=A|11=|", "repeated_tag 11"},
      {"54=1|38=1|11=|11=|", "empty_value 11"},
      {"93=1|89=a|", "required_missing 11"},
  });
  EXPECT_EQ(judge(small(), header() + "115=|38=x|11=A|54=1|", Rules::all(), FaultOrder::Quickfix),
            "empty_value 115");
}

TEST(QuickfixOrder, GroupsAreCountedAndNotLookedInto) {
  expect_each_quickfix({
      {"11=X|54=1|38=10|453=1|448=|452=99|", "clean"},
      // A repeated field begins the next entry, which lacks 448.
      {"11=X|54=1|38=10|453=1|448=P|447=n|452=x|447=m|", "required_missing 448"},
      {"11=X|54=1|38=10|453=2|448=P|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=-1|448=P|452=1|", "group_count 453"},
      // An entry may begin with any of its fields, and the delimiter begins another.
      {"11=X|54=1|38=10|453=1|452=1|448=P|", "required_missing 448"},
      // A field unknown to QuickFIX ends a group.
      {"11=X|54=1|38=10|453=1|448=P|777=1|452=1|", "required_missing 452"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|777=1|447=n|", "tag_not_allowed 447"},
  });
}

TEST(QuickfixOrder, GroupsMayBeHeldToTheirOrder) {
  Rules rules = Rules::all();
  expect_each_quickfix({{"11=X|54=1|38=10|453=1|448=P|452=1|447=n|", "clean"}});
  rules.set(Rule::RequiredMissing, RuleAction::Off);
  expect_each_quickfix({{"11=X|54=1|38=10|453=1|452=1|448=P|", "group_start 452"},
                        {"11=X|54=1|38=10|453=2|452=1|448=P|", "group_start 452"}},
                       rules);
  rules.set(Rule::GroupStart, RuleAction::Off);
  expect_each_quickfix({{"11=X|54=1|38=10|453=1|452=1|448=P|", "group_count 453"},
                        {"11=X|54=1|38=10|453=2|452=1|448=P|", "clean"}},
                       rules);
}

TEST(QuickfixOrder, TagsThatAreNoneHaveTheirPlaceByNumber) {
  expect_each_quickfix({
      {"-1=x|11=X|54=1|38=1|", "unknown_tag -1"},
      {"11=X|54=1|38=1|0=x|", "unknown_tag 0"},
      {"11=X|54=1|38=1|0=x|-5=y|-1=z|", "unknown_tag -5"},
      {"-1=|11=X|54=1|38=1|", "empty_value -1"},
      {"11=X|54=1|38=x|-1=x|", "unknown_tag -1"},
  });
}

TEST(QuickfixOrder, HeaderFieldsOfOtherVersionsAreHeaderFields) {
  expect_each_quickfix({
      {"144=L|115=C|11=|54=1|38=1|", "unknown_tag 144"},
      {"11=|144=L|54=1|38=1|", "section_order 144"},
  });
}

TEST(QuickfixOrder, FormatsAreQuickfixs) {
  expect_each_quickfix({
      {"11=X|54=1|38=10|60=20250102-03:04:05.123456789|", "clean"},
      {"11=X|54=1|38=10|60=20250102-03:04:05.1234567890|", "value_format 60"},
      {"11=X|54=1|38=10|60=20250102-03:04:60|", "clean"},
      {"11=X|54=1|38=-.5|", "clean"},
      {"11=X|54=1|38=5.|", "clean"},
      {"11=X|54=1|38=-|", "value_format 38"},
      {"11=X|54=1|38=10|902=-5|", "clean"},
      {"11=X|54=1|38=10|18=A C|", "value_not_listed 18"},
  });
}

TEST(QuickfixOrder, EmptyValuesMayBeLeftAlone) {
  Rules rules = Rules::all();
  rules.set(Rule::EmptyValue, RuleAction::Off);
  expect_each_quickfix({{"11=|54=1|38=10|58=|", "clean"},
                        {"11=X|54=1|38=|", "value_format 38"},
                        {"11=X|54=|38=1|", "value_format 54"}},
                       rules);
}

}  // namespace affix::dictionary_test
