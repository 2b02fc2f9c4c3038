// SPDX-License-Identifier: MIT
// Differences between two dictionaries, in words.
#include "dictionary/diff.hpp"
#include "support/small_dictionary.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tools::dictionary {
namespace {

using affix::dictionary::Dictionary;
using affix::dictionary::FieldType;
using affix::dictionary::MessageCategory;
using affix::dictionary::Parts;
using namespace affix_test;

std::string text_of(const Parts& before, const Parts& after,
                    DiffScope scope = DiffScope::AsWritten) {
  std::string text;
  for (const Difference& difference : diff(Dictionary(before), Dictionary(after), scope)) {
    text += to_text(difference) + "\n";
  }
  return text;
}

TEST(DictionaryDiff, EqualDictionariesHaveNone) {
  EXPECT_EQ(text_of(small_parts(), small_parts()), "");
  EXPECT_EQ(text_of(small_parts(), small_parts(), DiffScope::OnTheWire), "");
}

TEST(DictionaryDiff, ReportsOfFieldsAndValues) {
  Parts after = small_parts();
  after.version.minor = 2;
  after.fields[0].type = FieldType::Int;
  after.fields[0].values = {{"1", "BID"}, {"2", "SELL"}, {"3", "HOLD"}};
  after.fields[0].values_are_open = true;
  after.fields[0].union_type = FieldType::Qty;
  after.fields[2].name = "Party";
  after.fields.push_back(make_field(5001, "Desk"));
  Parts before = small_parts();
  before.version.minor = 2;
  before.fields.push_back(make_field(9, "Old"));
  EXPECT_EQ(text_of(before, after),
            "~ component Parties, group NoPartyIDs: PartyID (448) became Party (448)\n"
            "- field 9 Old\n"
            "~ field 54 Side: type char became int\n"
            "~ field 54 Side: takes other than the listed values now\n"
            "~ field 54 Side: type of other values none became Qty\n"
            "~ field 54 Side: value '1' BUY is called BID now\n"
            "~ field 54 Side: value '10' TEN is gone\n"
            "~ field 54 Side: value '3' HOLD is new\n"
            "~ field 448 Party: was called PartyID\n"
            "+ field 5001 Desk\n");
}

TEST(DictionaryDiff, ReportsOfMembers) {
  Parts after = small_parts();
  after.version.minor = 4;
  after.header = {field(3, true)};
  after.trailer = {field(0)};
  after.messages[0] = {"AE", "TradeReport", MessageCategory::Admin, {field(3, true), field(0)}};
  after.messages[1].members = {field(0), component(1)};
  after.messages.push_back({"U1", "Own", MessageCategory::App, {}});
  after.groups[0].members = {field(2), field(3)};
  EXPECT_EQ(text_of(small_parts(), after),
            "~ version: FIX.4.0 became FIX.4.4\n"
            "~ header: Symbol (55) is required now\n"
            "~ trailer: Symbol (55) is gone\n"
            "~ trailer: Side (54) is new\n"
            "~ message D Order: Side (54) is optional now\n"
            "~ message D Order: the order of members is another one\n"
            "~ message AE TradeReport: was called Report\n"
            "~ message AE TradeReport: was app, is admin\n"
            "~ message AE TradeReport: Symbol (55) is new and required\n"
            "+ message U1 Own\n"
            "~ component Parties, group NoPartyIDs: PartyID (448) is optional now\n"
            "~ component Parties, group NoPartyIDs: Symbol (55) is new\n"
            "~ field 54 Side: type String became char\n");
  EXPECT_EQ(text_of(after, after), "");
}

TEST(DictionaryDiff, OnTheWireComponentsAreNothing) {
  Parts after = small_parts();
  after.messages[1].members = {group(0), field(3), field(0, true)};
  EXPECT_EQ(text_of(small_parts(), after, DiffScope::OnTheWire), "");
  EXPECT_EQ(text_of(small_parts(), after),
            "~ message D Order: component Block is gone\n"
            "~ message D Order: group NoPartyIDs (453) is new\n"
            "~ message D Order: Symbol (55) is new\n");
  // A plain counter in place of its group is a change of kind.
  after.messages[1].members[0] = field(1);
  EXPECT_EQ(text_of(small_parts(), after, DiffScope::OnTheWire),
            "~ message D Order: group NoPartyIDs (453) became NoPartyIDs (453)\n");
}

}  // namespace
}  // namespace affix::tools::dictionary
