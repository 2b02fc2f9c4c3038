// SPDX-License-Identifier: MIT
// FIX Orchestra: ids to names, code sets, unions, scenarios, and faults of a file.
#include "affix/dictionary/load.hpp"

#include "problem_texts.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace affix::dictionary;
using affix::dictionary_test::texts_of;

// A repository around its sections, which begin in line 2.
std::string repository(std::string_view sections, std::string_view version = "FIX.5.0SP2") {
  std::string text =
      "<fixr:repository xmlns:fixr=\"http://fixprotocol.io/2020/orchestra/repository\" name=\"x\" "
      "version=\"";
  text += version;
  text += "\">\n";
  text += sections;
  return text + "</fixr:repository>\n";
}

constexpr std::string_view sections = R"(<fixr:codeSets>
<fixr:codeSet name="SideCodeSet" id="54" type="char"><fixr:code name="Sell" id="2" value="2"><fixr:annotation>
<fixr:documentation>Sells &amp; such</fixr:documentation></fixr:annotation></fixr:code><fixr:code name="Buy" id="1" value="1"/></fixr:codeSet>
<fixr:codeSet name="TypeCodeSet" id="5" type="int"><fixr:code name="One" id="3" value="1"/></fixr:codeSet></fixr:codeSets>
<fixr:datatypes><fixr:datatype name="Qty" baseType="float"/><fixr:datatype name="Lots" baseType="Qty"/></fixr:datatypes>
<fixr:categories><fixr:category name="Logons" section="Session"/></fixr:categories>
<fixr:fields><fixr:field id="54" name="Side" type="SideCodeSet" added="FIX.2.7"/>
<fixr:field id="5" name="Type" type="TypeCodeSet" unionDataType="Reserved100Plus"/>
<fixr:field id="38" name="OrderQty" type="Lots"/><fixr:field id="453" name="NoPartyIDs" type="NumInGroup"/>
<fixr:field id="448" name="PartyID" type="String"/><fixr:field id="8" name="BeginString" type="String"/>
<fixr:field id="10" name="CheckSum" type="String"/><fixr:field id="5001" name="Size" type="Length"/>
<fixr:field id="5000" name="Blob" type="data" lengthId="5001"/></fixr:fields>
<fixr:components><fixr:component id="1" name="StandardHeader"><fixr:fieldRef id="8" presence="required"/></fixr:component>
<fixr:component id="2" name="StandardTrailer"><fixr:fieldRef id="10" presence="required"/></fixr:component>
<fixr:component id="3" name="Block"><fixr:groupRef id="3" presence="required"/><fixr:fieldRef id="38"/></fixr:component></fixr:components>
<fixr:groups><fixr:group id="3" name="Parties"><fixr:numInGroup id="453"/><fixr:fieldRef id="448" presence="required"/></fixr:group></fixr:groups>
<fixr:messages><fixr:message name="Order" id="1" msgType="D" category="Orders"><fixr:structure>
<fixr:componentRef id="1" presence="required"/><fixr:componentRef id="3"/><fixr:fieldRef id="54" presence="required"/>
<fixr:fieldRef id="5" presence="forbidden"/><fixr:componentRef id="2" presence="required"/></fixr:structure></fixr:message>
<fixr:message name="Logon" id="2" msgType="A" category="Logons"><fixr:structure/></fixr:message></fixr:messages>
)";

// Code sets by a separate attribute, and scenarios by number.
TEST(Orchestra, ReadsTheFormOfOnePointOne) {
  std::string text(sections);
  const std::string before = R"(name="Side" type="SideCodeSet")";
  text.replace(text.find(before), before.size(), R"(name="Side" codeSet="SideCodeSet")");
  const std::string order = "<fixr:message name=\"Logon\"";
  text.insert(text.find(order),
              R"(<fixr:message name="Order" id="1" msgType="D" scenarioId="2"><fixr:structure>
<fixr:fieldRef id="54"/></fixr:structure></fixr:message>)");
  const Loaded loaded = load_text(repository(text));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(loaded.dictionary->find_field(54)->type, FieldType::Char);
  EXPECT_EQ(loaded.dictionary->value_name(54, "2"), "Sell");
  const Message& merged = *loaded.dictionary->find_message("Order");
  for (const Member& member : merged.members) {
    EXPECT_FALSE(member.required) << loaded.dictionary->name(member);
  }
}

TEST(Orchestra, ReadsARepository) {
  const Loaded loaded = load_text(repository(sections));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(loaded.format, Format::Orchestra);
  const Dictionary& dictionary = *loaded.dictionary;
  EXPECT_EQ(dictionary.version().name(), "FIX.5.0SP2");
  ASSERT_EQ(dictionary.header().size(), 1U);
  EXPECT_TRUE(dictionary.header()[0].required);
  EXPECT_EQ(dictionary.tag(dictionary.trailer()[0]), 10U);
  EXPECT_EQ(dictionary.value_name(54, "1"), "Buy");
  EXPECT_EQ(dictionary.find_field(54)->type, FieldType::Char);
  EXPECT_FALSE(dictionary.find_field(54)->values_are_open);
  EXPECT_TRUE(dictionary.find_field(5)->values_are_open);
  EXPECT_EQ(dictionary.find_field(5)->union_type, FieldType::Reserved100Plus);
  EXPECT_EQ(dictionary.find_field(38)->type, FieldType::Qty);
  EXPECT_EQ(dictionary.find_field(5000)->length_tag, 5001U);
  EXPECT_EQ(dictionary.components().size(), 2U);
  const Message& order = *dictionary.find_message_by_type("D");
  EXPECT_EQ(order.category, MessageCategory::App);
  EXPECT_EQ(dictionary.find_message("Logon")->category, MessageCategory::Admin);
  ASSERT_EQ(order.members.size(), 2U);
  EXPECT_EQ(dictionary.name(order.members[0]), "Block");
  EXPECT_TRUE(order.members[1].required);
  const Component& block = *dictionary.find_component("Block");
  EXPECT_EQ(dictionary.name(block.members[0]), "Parties");
  EXPECT_TRUE(block.members[0].required);
  const Component& parties = *dictionary.find_component("Parties");
  ASSERT_EQ(parties.members[0].kind, MemberKind::Group);
  EXPECT_EQ(dictionary.delimiter(dictionary.group(parties.members[0])).tag, 448U);
}

TEST(Orchestra, AnyPrefixAndNoneWillDo) {
  std::string text = repository(sections);
  const Loaded expected = load_text(text);
  for (const char* prefix : {"o:", ""}) {
    std::string other = text;
    for (std::size_t at = other.find("fixr:"); at != std::string::npos;
         at = other.find("fixr:", at)) {
      other.replace(at, 5, prefix);
    }
    const Loaded loaded = load_text(other);
    ASSERT_TRUE(loaded) << prefix << texts_of(loaded);
    EXPECT_EQ(*loaded.dictionary, *expected.dictionary);
  }
}

TEST(Orchestra, ScenariosAreReadAsOne) {
  const Loaded loaded = load_text(repository(
      R"(<codeSets><codeSet name="S" id="1" type="char"><code name="Buy" value="1"/></codeSet>
<codeSet name="S" id="1" scenario="wide" type="char"><code name="Buy" value="1"/><code name="Sell" value="2"/></codeSet></codeSets>
<fields><field id="54" name="Side" type="S"/><field id="1" name="Account" type="String"/><field id="2" name="Desk" type="String"/>
<field id="3" name="NoRows" type="NumInGroup"/></fields>
<groups><group id="9" name="Rows"><numInGroup id="3"/><fieldRef id="1" presence="required"/></group>
<group id="9" name="Rows" scenario="wide"><numInGroup id="3"/><fieldRef id="2"/><fieldRef id="1" presence="required"/></group></groups>
<messages><message name="Order" id="1" msgType="D"><structure><fieldRef id="54" presence="required"/><fieldRef id="1" presence="required"/>
<groupRef id="9"/></structure></message>
<message name="Order" id="1" scenario="wide" msgType="D"><structure><fieldRef id="54" presence="required"/><fieldRef id="2" presence="required"/>
</structure></message></messages>)"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded),
            "x.xml:6: warning: Rows: its 2 scenarios are read as one\n"
            "x.xml:8: warning: Order: its 2 scenarios are read as one\n");
  const Dictionary& dictionary = *loaded.dictionary;
  EXPECT_EQ(dictionary.find_field(54)->values.size(), 2U);
  const Message& order = *dictionary.find_message("Order");
  ASSERT_EQ(order.members.size(), 4U);
  EXPECT_TRUE(order.members[0].required);
  EXPECT_FALSE(order.members[1].required);  // Account: required by one, missing in the other.
  EXPECT_FALSE(order.members[3].required);
  EXPECT_EQ(dictionary.tag(order.members[3]), 2U);
  const Component& rows = *dictionary.find_component("Rows");
  const Group& group = dictionary.group(rows.members[0]);
  ASSERT_EQ(group.members.size(), 2U);
  EXPECT_EQ(dictionary.tag(group.members[0]), 1U);
  EXPECT_TRUE(group.members[0].required);
}

TEST(Orchestra, EveryProblemHasItsLine) {
  struct Row {
    const char* what;
    std::string sections;
    const char* problems;
  };

  const std::string fields = R"(<fields><field id="54" name="Side" type="char"/></fields>)";
  const std::vector<Row> rows = {
      {"references to nothing", fields + R"(
<messages><message name="Order" msgType="D"><structure><fieldRef id="55"/>
<groupRef id="7"/>
<componentRef id="8"/>
<fieldRef/><fieldRef id="x"/></structure></message></messages>)",
       "x.xml:3: error: Order: field 55 is not defined\n"
       "x.xml:4: error: Order: groupRef 7 is not defined\n"
       "x.xml:5: error: Order: componentRef 8 is not defined\n"
       "x.xml:6: error: Order: <fieldRef> without an id\n"
       "x.xml:6: error: Order: <fieldRef> with the id 'x', which is not a number\n"},
      {"groups without a counter or with an unknown one",
       fields + R"(<groups><group id="1" name="A"><fieldRef id="54"/></group>
<group id="2" name="B"><numInGroup id="99"/><fieldRef id="54"/></group>
<group id="3" name="C"><numInGroup id="54"/></group></groups>
<messages><message name="Order" msgType="D"/></messages>)",
       "x.xml:2: error: A: a group without numInGroup\n"
       "x.xml:3: error: B: group 99 has no field of that name for its counter\n"
       "x.xml:4: warning: C: group 54 holds nothing, read as the field that counts it\n"},
      {"the same scenario twice",
       fields +
           R"(<messages><message name="Order" msgType="D"><structure><fieldRef id="54"/></structure></message>
<message name="Order" msgType="D"/></messages>
<codeSets><codeSet name="A" type="int"/><codeSet name="A" type="int"/></codeSets>)",
       "x.xml:3: error: Order: defined twice (line 2) with two contents\n"
       "x.xml:4: error: A: a second code set of this name\n"},
      {"ids that are none",
       R"(<fields><field id="x" name="A" type="int"/>
<field name="B" type="int"/><field id="0" name="C" type="int"/></fields>)",
       "x.xml: error: no message is defined\n"
       "x.xml:2: error: A: <field> with the id 'x', which is not a number\n"
       "x.xml:3: error: B: <field> without an id\n"
       "x.xml:3: error: C: tag 0 is not a number from 1 to 2147483647\n"},
  };
  for (const Row& row : rows) {
    const Loaded loaded = load_text(repository(row.sections));
    EXPECT_EQ(texts_of(loaded), row.problems) << row.what;
    EXPECT_FALSE(loaded) << row.what;
  }
}

TEST(Orchestra, UnknownTypesAndVersionsAreWarnedOf) {
  const Loaded loaded = load_text(repository(
      R"(<datatypes><datatype name="A" baseType="B"/><datatype name="B" baseType="A"/></datatypes>
<fields><field id="1" name="Round" type="A"/><field id="2" name="Union" type="int" unionDataType="What"/></fields>
<messages><message name="Order" msgType="D"><structure><fieldRef id="1"/></structure></message></messages>)",
      "1.7"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded),
            "x.xml:1: warning: version '1.7' names no version of FIX; read as FIX.Latest\n"
            "x.xml:3: warning: Round: unknown type 'A', read as String\n"
            "x.xml:3: warning: Union: unknown unionDataType 'What'\n");
  EXPECT_EQ(loaded.dictionary->find_field(1)->own_type, "A");
  EXPECT_TRUE(loaded.dictionary->version().is_latest);
}

TEST(Orchestra, AGroupWithAComponentsNameGetsAnother) {
  const Loaded loaded = load_text(repository(
      R"(<fields><field id="1" name="NoA" type="NumInGroup"/><field id="2" name="B" type="int"/></fields>
<components><component id="1" name="A"><groupRef id="1"/></component></components>
<groups><group id="1" name="A"><numInGroup id="1"/><fieldRef id="2"/></group></groups>
<messages><message name="Order" msgType="D"><structure><componentRef id="1"/></structure></message></messages>)"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_NE(loaded.dictionary->find_component("A_1"), nullptr);
  EXPECT_EQ(texts_of(loaded),
            "x.xml:4: warning: A: a component or another group has this name; called 'A_1'\n");
}

}  // namespace
