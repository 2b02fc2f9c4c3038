// SPDX-License-Identifier: MIT
// The model: one order for any order of the parts, lookups, versions.
#include "affix/dictionary/model.hpp"

#include "support/small_dictionary.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace {

using namespace affix::dictionary;
using namespace affix_test;

TEST(Dictionary, IsTheSameWhateverTheOrderOfItsParts) {
  Parts turned = small_parts();
  std::swap(turned.fields[0], turned.fields[3]);
  std::swap(turned.messages[0], turned.messages[1]);
  std::swap(turned.components[0], turned.components[1]);
  turned.header = {field(0)};
  turned.components[1].members = {group(0, true)};
  turned.components[0].members = {component(1, true), field(0, true)};
  turned.messages[0].members = {component(0), field(3, true)};
  turned.trailer = {field(0)};
  turned.messages[1].members = {field(3)};
  EXPECT_EQ(Dictionary(small_parts()), Dictionary(turned));
  EXPECT_EQ(Dictionary(small_parts()).parts(), Dictionary(Dictionary(turned).parts()).parts());
}

TEST(Dictionary, OrdersFieldsByTagTypesAndCodesByLengthFirst) {
  const Dictionary dictionary(small_parts());
  EXPECT_EQ(dictionary.fields()[0].tag, 54U);
  EXPECT_EQ(dictionary.fields()[3].tag, 453U);
  EXPECT_EQ(dictionary.messages()[0].type, "D");
  EXPECT_EQ(dictionary.components()[0].name, "Block");
  EXPECT_EQ(dictionary.find_field(54)->values[2].code, "10");
}

TEST(Dictionary, FindsByTagNameTypeAndCode) {
  const Dictionary dictionary(small_parts());
  ASSERT_NE(dictionary.find_field("PartyID"), nullptr);
  EXPECT_EQ(dictionary.find_field("PartyID")->tag, 448U);
  EXPECT_EQ(dictionary.find_field("Party"), nullptr);
  EXPECT_EQ(dictionary.find_field(1), nullptr);
  EXPECT_EQ(dictionary.find_message("Order")->type, "D");
  EXPECT_EQ(dictionary.find_message_by_type("AE")->name, "Report");
  EXPECT_EQ(dictionary.find_message_by_type("A"), nullptr);
  EXPECT_EQ(dictionary.find_component("Parties")->members.size(), 1U);
  EXPECT_EQ(dictionary.find_component("Instrument"), nullptr);
  EXPECT_EQ(dictionary.value_name(54, "2"), "SELL");
  EXPECT_EQ(dictionary.value_name(54, "10"), "TEN");
  EXPECT_EQ(dictionary.value_name(54, "3"), "");
  EXPECT_EQ(dictionary.value_name(55, "1"), "");
}

TEST(Dictionary, TheDelimiterIsFoundThroughComponentsAndEmptyOnes) {
  Parts parts = small_parts();
  parts.components.push_back({"Nothing", {}});
  parts.components.push_back({"Outer", {component(2), component(1)}});
  // The group's first field is now that of Parties within Block within Outer: a nested counter.
  parts.fields.push_back(make_field(900, "NoOuter", FieldType::NumInGroup));
  parts.groups.push_back({4, {component(3)}});
  parts.messages[0].members = {group(1)};
  const Dictionary dictionary(parts);
  const Message& report = *dictionary.find_message("Report");
  EXPECT_EQ(dictionary.delimiter(dictionary.group(report.members[0])).tag, 453U);
  const Component& parties = *dictionary.find_component("Parties");
  EXPECT_EQ(dictionary.delimiter(dictionary.group(parties.members[0])).tag, 448U);
}

TEST(Dictionary, AGroupUsedTwiceBecomesTwo) {
  Parts parts = small_parts();
  parts.messages[0].members.push_back(group(0));
  const Dictionary dictionary(parts);
  EXPECT_EQ(dictionary.groups().size(), 2U);
  EXPECT_EQ(dictionary.groups()[0], dictionary.groups()[1]);
}

TEST(Dictionary, CharBeforeFourTwoIsString) {
  Parts parts = small_parts();
  parts.version.minor = 1;
  EXPECT_EQ(Dictionary(parts).find_field(54)->type, FieldType::String);
  parts.version.minor = 2;
  EXPECT_EQ(Dictionary(parts).find_field(54)->type, FieldType::Char);
}

TEST(DictionaryDeathTest, RefusesPartsThatNoLoaderMakes) {
  Parts outside = small_parts();
  outside.messages[0].members = {field(4)};
  EXPECT_DEATH(Dictionary{outside}, "index < fields_");
  Parts twice = small_parts();
  twice.fields[1].tag = 54;
  EXPECT_DEATH(Dictionary{twice}, "field_precedes");
  Parts cycle = small_parts();
  cycle.components[0].members = {component(1)};
  EXPECT_DEATH(Dictionary{cycle}, "Open");
  Parts empty = small_parts();
  empty.groups[0].members.clear();
  EXPECT_DEATH(Dictionary{empty}, "has_field");
  Parts unpaired = small_parts();
  unpaired.fields[0].length_tag = 55;
  EXPECT_DEATH(Dictionary{unpaired}, "data_tag");
}

TEST(Version, NamesRoundTripAndTellBeginStringAndApplVerId) {
  const struct {
    const char* name;
    const char* begin_string;
    const char* appl_ver_id;
  } rows[] = {{"FIX.4.0", "FIX.4.0", "2"},
              {"FIX.4.4", "FIX.4.4", "6"},
              {"FIX.5.0", "FIXT.1.1", "7"},
              {"FIX.5.0SP2", "FIXT.1.1", "9"},
              {"FIXT.1.1", "FIXT.1.1", ""},
              {"FIX.Latest", "FIXT.1.1", "10"},
              {"FIX.5.0SP2_EP254", "FIXT.1.1", "9"},
              {"FIX.Latest_EP269", "FIXT.1.1", "10"},
              {"FIX.7.2", "FIXT.1.1", ""}};

  for (const auto& row : rows) {
    const auto version = version_from_text(row.name);
    ASSERT_TRUE(version) << row.name;
    EXPECT_EQ(version->name(), row.name);
    EXPECT_EQ(version->begin_string(), row.begin_string) << row.name;
    EXPECT_EQ(version->appl_ver_id(), row.appl_ver_id) << row.name;
  }
  for (const char* text : {"", "FIX", "FIX.", "FIX.4", "FIX.4.", "FIX.4.4SP", "FIX.4.4x",
                           "FIX.4.4_EP", "fix.4.4", "FIX.99999.1", "FIX.Latest269", "4.4"}) {
    EXPECT_FALSE(version_from_text(text)) << text;
  }
}

}  // namespace
