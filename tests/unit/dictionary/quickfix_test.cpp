// SPDX-License-Identifier: MIT
// QuickFIX's XML: its meaning, and the error text for each kind of fault.
#include "affix/dictionary/load.hpp"

#include "problem_texts.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace affix::dictionary;
using affix::dictionary_test::texts_of;

constexpr std::string_view header =
    R"(<header><field name="BeginString" required="Y"/><field name="BodyLength" required="Y"/>
<field name="MsgType" required="Y"/><field name="MsgSeqNum" required="Y"/><field name="SenderCompID" required="Y"/>
<field name="TargetCompID" required="Y"/><field name="SendingTime" required="Y"/></header>
<trailer><field name="CheckSum" required="Y"/></trailer>)";

constexpr std::string_view header_fields =
    R"(<field number="8" name="BeginString" type="STRING"/><field number="9" name="BodyLength" type="LENGTH"/>
<field number="35" name="MsgType" type="STRING"/><field number="34" name="MsgSeqNum" type="SEQNUM"/>
<field number="49" name="SenderCompID" type="STRING"/><field number="56" name="TargetCompID" type="STRING"/>
<field number="52" name="SendingTime" type="UTCTIMESTAMP"/><field number="10" name="CheckSum" type="STRING"/>)";

// A complete 4.4 file around three sections. Messages begin in line 6, components two lines after
// their end, fields in the line after the header's.
std::string file_of(std::string_view messages, std::string_view components,
                    std::string_view fields) {
  std::string text = "<fix type=\"FIX\" major=\"4\" minor=\"4\">\n";
  text += header;
  text += "<messages>\n";
  text += messages;
  text += "</messages>\n<components>\n";
  text += components;
  text += "</components>\n<fields>";
  text += header_fields;
  text += "\n";
  text += fields;
  return text + "</fields>\n</fix>\n";
}

constexpr std::string_view order = R"(<message name="Order" msgtype="D" msgcat="app">
<field name="Side" required="Y"/></message>
)";
constexpr std::string_view side = R"(<field number="54" name="Side" type="CHAR"/>
)";

struct Row {
  const char* what;
  std::string file;
  const char* problems;
};

void check_rows(const std::vector<Row>& rows, bool is_refused) {
  for (const Row& row : rows) {
    const Loaded loaded = load_text(row.file);
    EXPECT_EQ(texts_of(loaded), row.problems) << row.what;
    EXPECT_EQ(!loaded, is_refused) << row.what;
    EXPECT_EQ(loaded.format, Format::QuickFix) << row.what;
  }
}

TEST(QuickFix, ReadsEverythingADictionaryHas) {
  const Loaded loaded = load_text(file_of(
      R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="Y"/>
<component name="Parties" required="N"/>
<group name="NoLegs" required="y"><field name="LegID" required="Y"/>
<group name="NoSubs" required="N"><component name="Parties" required="N"/></group></group></message>
<message name="Logon" msgtype="A" msgcat="admin"/>)",
      R"(<component name="Parties"><group name="NoPartyIDs" required="N"><field name="PartyID" required="N"/></group></component>)",
      R"(<field number="54" name="Side" type="CHAR"><value enum="2" description="SELL"/><value enum="1" description="BUY"/></field>
<field number="555" name="NoLegs" type="NUMINGROUP"/><field number="600" name="LegID" type="STRING"/>
<field number="601" name="NoSubs" type="INT"/><field number="453" name="NoPartyIDs" type="NUMINGROUP"/>
<field number="448" name="PartyID" type="STRING"/>
<field number="65" name="Suffix" type="STRING" allowOtherValues="true"><value enum="CD" description="EUCP"/></field>
<field number="95" name="RawDataLength" type="LENGTH"/><field number="96" name="RawData" type="DATA"/>
<field number="5001" name="DeskLength" type="LENGTH"/><field number="5000" name="Desk" type="DATA"/>)"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded), "");
  const Dictionary& dictionary = *loaded.dictionary;
  EXPECT_EQ(dictionary.version().name(), "FIX.4.4");
  EXPECT_EQ(dictionary.header().size(), 7U);
  EXPECT_EQ(dictionary.trailer().size(), 1U);
  EXPECT_EQ(dictionary.find_message("Logon")->category, MessageCategory::Admin);
  EXPECT_TRUE(dictionary.find_message("Logon")->members.empty());
  const Message& message = *dictionary.find_message_by_type("D");
  ASSERT_EQ(message.members.size(), 3U);
  EXPECT_TRUE(message.members[0].required);
  EXPECT_FALSE(message.members[1].required);
  EXPECT_EQ(dictionary.component(message.members[1]).name, "Parties");
  EXPECT_TRUE(message.members[2].required);
  const Group& legs = dictionary.group(message.members[2]);
  EXPECT_EQ(dictionary.counter(legs).tag, 555U);
  EXPECT_EQ(dictionary.delimiter(legs).tag, 600U);
  const Group& subs = dictionary.group(legs.members[1]);
  EXPECT_EQ(dictionary.delimiter(subs).tag, 453U);
  EXPECT_EQ(dictionary.value_name(54, "1"), "BUY");
  EXPECT_FALSE(dictionary.find_field(54)->values_are_open);
  EXPECT_TRUE(dictionary.find_field(65)->values_are_open);
  EXPECT_EQ(dictionary.find_field(96)->length_tag, 95U);
  EXPECT_EQ(dictionary.find_field(95)->data_tag, 96U);
  EXPECT_EQ(dictionary.find_field(5000)->length_tag, 5001U);
}

TEST(QuickFix, OddNamesLoad) {
  const Loaded loaded = load_text(file_of(
      R"(<message name="3 New-Order &amp; Co" msgtype="U_longer_than_8" msgcat="app"><field name="class" required="N"/>
<field name="&#xDC;ber" required="N"/></message>)",
      "",
      R"(<field number="2147483647" name="class" type="STRING"/><field number="5001" name="&#xDC;ber" type="INT"/>)"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded), "");
  EXPECT_NE(loaded.dictionary->find_message("3 New-Order & Co"), nullptr);
  EXPECT_NE(loaded.dictionary->find_message_by_type("U_longer_than_8"), nullptr);
  EXPECT_EQ(loaded.dictionary->find_field("class")->tag, 2147483647U);
}

TEST(QuickFix, TextBetweenElementsIsANoteAndAnyOrderOfSectionsWillDo) {
  const Loaded loaded = load_text(
      "<fix minor='0' major='5'><fields><field type='char' name='Side' number='54'>>"
      "<value description='BUY' enum='1'/> as sent</field></fields><messages>x"
      "<message msgtype='D' name='Order' msgcat='APP'><field required='n' name='Side'/></message>"
      "</messages></fix>");
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded), "");
  EXPECT_EQ(loaded.dictionary->value_name(54, "1"), "BUY");
}

TEST(QuickFix, ApplicationVersionsNeedNoHeader) {
  const Loaded loaded = load_text(
      R"(<fix major="5" minor="0" servicepack="2"><header/><trailer/>
<messages><message name="Order" msgtype="D" msgcat="app"><field name="Side" required="Y"/></message></messages>
<fields><field number="54" name="Side" type="CHAR"/></fields></fix>)");
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_EQ(texts_of(loaded), "");
  EXPECT_EQ(loaded.dictionary->version().name(), "FIX.5.0SP2");
}

TEST(QuickFix, EveryErrorHasItsLineNameAndReason) {
  const std::string message_start = R"(<message name="Order" msgtype="D" msgcat="app">)";
  check_rows(
      {
          {"no such field",
           file_of(message_start + "<field name=\"Foo\" required=\"Y\"/>\n</message>", "", side),
           "x.xml:6: error: Order: field 'Foo' is not defined\n"},
          {"no such component",
           file_of(message_start + "\n<component name=\"Foo\" required=\"N\"/></message>", "",
                   side),
           "x.xml:7: error: Order: component 'Foo' is not defined\n"},
          {"a group without its counter",
           file_of(
               message_start +
                   R"(<group name="NoFoo" required="N"><field name="Side" required="N"/></group></message>)",
               "", side),
           "x.xml:6: error: Order: group 'NoFoo' has no field of that name for its counter\n"},
          {"a group of an empty component",
           file_of(
               message_start +
                   R"(<group name="NoFoo" required="N"><component name="Nothing" required="N"/></group></message>)",
               R"(<component name="Nothing"/>)",
               R"(<field number="5000" name="NoFoo" type="NUMINGROUP"/>)"),
           "x.xml:6: error: NoFoo: a group without a field\n"},
          {"one tag, two names",
           file_of(order, "", std::string(side) + R"(<field number="54" name="Way" type="CHAR"/>)"),
           "x.xml:16: error: Way: tag 54 is 'Side' already (line 15)\n"},
          {"one name, two tags",
           file_of(order, "",
                   std::string(side) + R"(<field number="5054" name="Side" type="CHAR"/>)"),
           "x.xml:16: error: Side: two fields have this name: tags 54 (line 15) and 5054\n"},
          {"one field, two types",
           file_of(order, "", std::string(side) + R"(<field number="54" name="Side" type="INT"/>)"),
           "x.xml:16: error: Side: defined twice with two types: char (line 15) and int\n"},
          {"tags that are none",
           file_of(order, "", std::string(side) + R"(<field number="0" name="A" type="INT"/>
<field number="-1" name="B" type="INT"/>
<field number="2147483648" name="C" type="INT"/>
<field number="5x" name="D" type="INT"/>
<field name="E" type="INT"/>)"),
           "x.xml:16: error: A: tag 0 is not a number from 1 to 2147483647\n"
           "x.xml:17: error: B: number '-1' is not a tag\n"
           "x.xml:18: error: C: tag 2147483648 is not a number from 1 to 2147483647\n"
           "x.xml:19: error: D: number '5x' is not a tag\n"
           "x.xml:20: error: E: a field without a number\n"},
          {"names that are none",
           file_of(R"(<message msgtype="D" msgcat="app"><field required="N"/><group required="N"/>
<component required="N"/></message>
<message name="Foo" msgcat="app"/>)",
                   "<component/>", R"(<field number="54" type="CHAR"/>)"),
           "x.xml:6: warning: D: a message has no name; its type is used as the name\n"
           "x.xml:6: error: D: a field without a name\n"
           "x.xml:6: error: D: a group without a name\n"
           "x.xml:7: error: D: a component without a name\n"
           "x.xml:8: error: Foo: a message without a type\n"
           "x.xml:10: error: a component without a name\n"
           "x.xml:15: error: a field without a name\n"},
          {"a component within itself",
           file_of(order,
                   R"(<component name="A"><component name="B" required="N"/></component>
<component name="B"><group name="NoFoo" required="N"><component name="A" required="N"/></group></component>)",
                   std::string(side) + R"(<field number="5000" name="NoFoo" type="NUMINGROUP"/>)"),
           "x.xml:10: error: A: a component within itself: 'A' holds 'B' holds 'A'\n"},
          {"names in other capitals, or with a slip",
           file_of(message_start +
                       R"(<field name="SIDE" required="Y"/><component name="parties" required="N"/>
<field name="Sides" required="Y"/><field name="Sde" required="Y"/>
<field name="Sixe" required="Y"/><field name="Sid3s" required="Y"/>
<field name="Sdie" required="Y"/><field name="Sied" required="Y"/><field name="iSed" required="Y"/></message>)",
                   R"(<component name="Parties"/>)", side),
           "x.xml:6: error: Order: field 'SIDE' is not defined ('Side' is)\n"
           "x.xml:6: error: Order: component 'parties' is not defined ('Parties' is)\n"
           "x.xml:7: error: Order: field 'Sides' is not defined ('Side' is)\n"
           "x.xml:7: error: Order: field 'Sde' is not defined\n"
           "x.xml:8: error: Order: field 'Sixe' is not defined ('Side' is)\n"
           "x.xml:8: error: Order: field 'Sid3s' is not defined\n"
           "x.xml:9: error: Order: field 'Sdie' is not defined ('Side' is)\n"
           "x.xml:9: error: Order: field 'Sied' is not defined ('Side' is)\n"
           "x.xml:9: error: Order: field 'iSed' is not defined\n"},
          {"two groups of one counter",
           file_of(
               message_start +
                   R"(<group name="NoFoo" required="N"><field name="Side" required="N"/></group>
<group name="NoFoo" required="N"><field name="Way" required="N"/></group></message>)",
               "",
               std::string(side) +
                   R"(<field number="5000" name="NoFoo" type="NUMINGROUP"/><field number="5001" name="Way" type="CHAR"/>)"),
           "x.xml:7: error: Order: group 'NoFoo' is listed twice with two contents (line 6)\n"},
          {"one type, two messages",
           file_of(std::string(order) + R"(<message name="Foo" msgtype="D" msgcat="app"/>)", "",
                   side),
           "x.xml:8: error: Foo: type 'D' is 'Order' already (line 6)\n"},
          {"one message, two contents",
           file_of(std::string(order) + message_start + "</message>", "", side),
           "x.xml:8: error: Order: defined twice (line 6) with two contents\n"},
          {"one component, two contents",
           file_of(
               order,
               R"(<component name="A"><field name="Side" required="N"/></component><component name="A"/>)",
               side),
           "x.xml:10: error: A: defined twice (line 10) with two contents\n"},
          {"white space in a type",
           file_of(R"(<message name="Order" msgtype="D 1" msgcat="app"/>)", "", side),
           "x.xml:6: error: Order: the type holds a space or a character that may not be there\n"},
          {"control characters by reference",
           file_of(
               order, "",
               R"(<field number="54" name="Side" type="CHAR"><value enum="&#1;" description="A"/></field>
<field number="55" name="A&#2;" type="CHAR"/>)"),
           "x.xml:15: error: Side: a value holds a character that may not be there\n"
           "x.xml:16: error: the name of a field holds a character that may not be there\n"},
          {"a length that is none",
           file_of(order, "",
                   std::string(side) + R"(<field number="5000" name="A" type="DATA" lengthId="54"/>
<field number="5001" name="B" type="DATA" lengthId="5009"/>
<field number="5002" name="C" type="DATA" lengthId="x"/>)"),
           "x.xml:18: error: C: lengthId 'x' is not a tag\n"},
          {"a length that is not a number",
           file_of(order, "",
                   std::string(side) + R"(<field number="5000" name="A" type="DATA" lengthId="54"/>
<field number="5001" name="B" type="DATA" lengthId="5009"/>)"),
           "x.xml:16: error: A: its length field 54 is not a number\n"
           "x.xml:16: warning: A: a data field without a length field; it ends at the first SOH\n"
           "x.xml:17: error: B: its length field 5009 is not defined\n"
           "x.xml:17: warning: B: a data field without a length field; it ends at the first SOH\n"},
          {"nothing at all", R"(<fix major="4" minor="4"/>)",
           "x.xml: error: no field is defined\n"
           "x.xml: error: no header: only FIX.5.0 and later take theirs from FIXT\n"
           "x.xml: error: no trailer: only FIX.5.0 and later take theirs from FIXT\n"
           "x.xml: error: no message is defined\n"},
          {"no version",
           R"(<fix minor="x"><messages><message name="A" msgtype="A" msgcat="app"/></messages>
<fields><field number="1" name="B" type="INT"/></fields></fix>)",
           "x.xml: error: no header: only FIX.5.0 and later take theirs from FIXT\n"
           "x.xml: error: no trailer: only FIX.5.0 and later take theirs from FIXT\n"
           "x.xml:1: error: fix: attribute major is missing\n"
           "x.xml:1: error: fix: minor 'x' is not a number\n"},
      },
      true);
}

TEST(QuickFix, ASloppyFileIsReadWithWarnings) {
  check_rows(
      {
          {"required that is missing or neither",
           file_of(R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side"/>
<field name="Way" required="C"/></message>)",
                   "", std::string(side) + R"(<field number="5001" name="Way" type="CHAR"/>)"),
           "x.xml:6: warning: Order: required is missing for 'Side', read as N\n"
           "x.xml:7: warning: Order: required='C' of 'Way', read as N\n"},
          {"categories",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="order"/><message name="Logon" msgtype="A"/>)",
               "", side),
           "x.xml:6: warning: Order: msgcat='order', read as app\n"
           "x.xml:6: warning: Logon: msgcat is missing, read as admin\n"},
          {"an empty group is its counter",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><group name="NoFoo" required="Y"/>
<field name="Side" required="N"/></message>)",
               "", std::string(side) + R"(<field number="5000" name="NoFoo" type="INT"/>)"),
           "x.xml:6: warning: Order: group 'NoFoo' holds nothing, read as the field that counts "
           "it\n"},
          {"required and not",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="N"/>
<field name="Side" required="Y"/></message>)",
               "", side),
           "x.xml:7: warning: Order: field 'Side' is listed twice, once required and once not "
           "(line 6); read as required\n"},
          {"blanks around a number",
           file_of(order, "", R"(<field number=" 54 " name="Side" type="CHAR"/>)"), ""},
          {"types",
           file_of(
               order, "",
               std::string(side) +
                   R"(<field number="5001" name="A" type="ISIN"/><field number="5002" name="B"/>)"),
           "x.xml:16: warning: A: unknown type 'ISIN', read as String\n"
           "x.xml:16: warning: B: a field without a type, read as String\n"},
          {"values", file_of(order, "", R"(<field number="54" name="Side" type="CHAR">
<value enum="1" description="BUY"/>
<value enum="10" description="TEN"/>
<value enum="1" description="BID"/>
<value enum="1" description="BUY"/>
<value enum="" description="NONE"/>
<value enum="3"/></field>
<field number="5000" name="Flag" type="BOOLEAN"><value enum="X" description="X"/></field>
<field number="5001" name="Codes" type="MULTIPLEVALUESTRING"><value enum="A B" description="X"/></field>
<field number="5002" name="Px" type="PRICE"><value enum="-.5" description="X"/><value enum="." description="Y"/></field>
<field number="5003" name="N" type="SEQNUM"><value enum="-1" description="X"/></field>
<field number="5004" name="I" type="INT"><value enum="-1" description="X"/><value enum="1.0" description="Y"/></field>)"),
           "x.xml:17: warning: Side: value '10' does not fit the type char\n"
           "x.xml:18: warning: Side: value '1' is listed twice, as 'BUY' and as 'BID'; the first "
           "name stays\n"
           "x.xml:19: warning: Side: value '1' is listed twice\n"
           "x.xml:20: warning: Side: a value without a code; left out\n"
           "x.xml:22: warning: Flag: value 'X' does not fit the type Boolean\n"
           "x.xml:23: warning: Codes: value 'A B' does not fit the type MultipleValueString\n"
           "x.xml:24: warning: Px: value '.' does not fit the type Price\n"
           "x.xml:25: warning: N: value '-1' does not fit the type SeqNum\n"
           "x.xml:26: warning: I: value '1.0' does not fit the type int\n"},
          {"the same again",
           file_of(std::string(order) + std::string(order),
                   R"(<component name="A"><field name="Side" required="N"/></component>
<component name="A"><field name="Side" required="N"/></component>)",
                   std::string(side) + std::string(side)),
           "x.xml:8: warning: Order: defined twice (line 6)\n"
           "x.xml:13: warning: A: defined twice (line 12)\n"
           "x.xml:19: warning: Side: defined twice (line 18); the values of both count\n"},
          {"one name, two messages",
           file_of(std::string(order) + R"(<message name="Order" msgtype="U1" msgcat="app"/>)", "",
                   side),
           "x.xml:8: warning: Order: two messages have this name; the one of type 'U1' is called "
           "'Order_U1'\n"},
          {"members again",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="N"/>
<field name="Side" required="N"/><field name="NoFoo" required="N"/>
<group name="NoFoo" required="Y"><field name="Way" required="N"/></group></message>)",
               "",
               std::string(side) +
                   R"(<field number="5000" name="NoFoo" type="NUMINGROUP"/><field number="5001" name="Way" type="CHAR"/>)"),
           "x.xml:7: warning: Order: field 'Side' is listed twice (line 6)\n"
           "x.xml:8: warning: Order: group 'NoFoo' is listed as a field and as a group (line 7); "
           "it is the group\n"},
          {"twice through components",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="N"/>
<component name="A" required="N"/><component name="B" required="N"/></message>)",
               R"(<component name="A"><field name="Side" required="N"/><field name="Way" required="N"/></component>
<component name="B"><field name="Way" required="N"/></component>)",
               std::string(side) + R"(<field number="5001" name="Way" type="CHAR"/>)"),
           "x.xml:6: warning: Order: field 'Side' comes twice: in the list itself and in component "
           "'A'\n"
           "x.xml:6: warning: Order: field 'Way' comes twice: in component 'A' and in component "
           "'B'\n"},
          {"two groups of one counter through components",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app">
<component name="A" required="N"/><component name="B" required="N"/></message>)",
               R"(<component name="A"><group name="NoFoo" required="N"><field name="Side" required="N"/></group></component>
<component name="B"><group name="NoFoo" required="N"><field name="Way" required="N"/></group></component>)",
               std::string(side) +
                   R"(<field number="5000" name="NoFoo" type="NUMINGROUP"/><field number="5001" name="Way" type="CHAR"/>)"),
           "x.xml:6: warning: Order: group 'NoFoo' comes twice: in component 'A' and in component "
           "'B'; the first counts\n"},
          {"raw data out of place",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><field name="RawData" required="N"/>
<field name="RawDataLength" required="N"/></message>)",
               "",
               R"(<field number="95" name="RawDataLength" type="LENGTH"/><field number="96" name="RawData" type="DATA"/>
<field number="5000" name="Blob" type="DATA"/>)"),
           "x.xml:6: warning: Order: data field 'RawData' does not follow its length field "
           "'RawDataLength'\n"
           "x.xml:15: warning: Blob: a data field without a length field; it ends at the first "
           "SOH\n"},
          {"header fields in a body, a counter that counts nothing",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><field name="SendingTime" required="N"/>
<group name="NoFoo" required="N"><field name="Side" required="N"/></group></message>)",
               "", std::string(side) + R"(<field number="5000" name="NoFoo" type="STRING"/>)"),
           "x.xml:6: warning: Order: field 'SendingTime' is the header's or trailer's\n"
           "x.xml:15: warning: NoFoo: counts a group, but has the type String\n"},
          {"elements nobody knows",
           file_of(
               R"(<message name="Order" msgtype="D" msgcat="app"><feild name="Side" required="Y"/></message><note/>)",
               "<group/>", std::string(side) + "<feild/>"),
           "x.xml:6: warning: Order: unknown element <feild>, passed over\n"
           "x.xml:6: warning: messages: unknown element <note>, passed over\n"
           "x.xml:8: warning: components: unknown element <group>, passed over\n"
           "x.xml:14: warning: fields: unknown element <feild>, passed over\n"},
      },
      false);
}

TEST(QuickFix, AMemberIsRequiredWhereverItIsRequiredOnce) {
  const Loaded loaded = load_text(file_of(
      R"(<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="N"/>
<field name="Side" required="Y"/></message><message name="List" msgtype="E" msgcat="app">
<group name="NoFoo" required="N"/><field name="Side" required="N"/></message>)",
      "", std::string(side) + R"(<field number="5000" name="NoFoo" type="INT"/>)"));
  ASSERT_TRUE(loaded) << texts_of(loaded);
  const Message& once = *loaded.dictionary->find_message("Order");
  ASSERT_EQ(once.members.size(), 1u);
  EXPECT_TRUE(once.members.front().required);
  const Message& list = *loaded.dictionary->find_message("List");
  ASSERT_EQ(list.members.size(), 2u);
  EXPECT_EQ(list.members.front().kind, MemberKind::Field);
  EXPECT_EQ(loaded.dictionary->tag(list.members.front()), 5000u);
}

TEST(QuickFix, AVersionThatFixDoesNotHaveIsAVenuesOwn) {
  std::string text = file_of(order, "", side);
  text.replace(text.find("major=\"4\" minor=\"4\""), 19, "major=\"2\" minor=\"1\"");
  const Loaded loaded = load_text(text);
  ASSERT_TRUE(loaded) << texts_of(loaded);
  EXPECT_FALSE(loaded.dictionary->version().is_known());
  EXPECT_EQ(texts_of(loaded),
            "x.xml:1: warning: fix: no version of FIX is called FIX.2.1; sessions of any version "
            "may use the file\n");
}

TEST(QuickFix, SeveralProblemsComeAllAndInOrder) {
  const Loaded loaded = load_text(file_of(
      R"(<message name="A" msgtype="D" msgcat="app"><field name="Foo" required="Y"/></message>
<message name="B" msgtype="D" msgcat="app"><component name="Bar" required="Y"/></message>
<message name="C" msgtype="E" msgcat="app"><component name="Bar" required="Y"/></message>)",
      "", std::string(side) + R"(<field number="x" name="Way" type="CHAR"/>)"));
  EXPECT_FALSE(loaded);
  EXPECT_EQ(texts_of(loaded),
            "x.xml:6: error: A: field 'Foo' is not defined\n"
            "x.xml:7: error: B: type 'D' is 'A' already (line 6)\n"
            "x.xml:8: error: C: component 'Bar' is not defined\n"
            "x.xml:16: error: Way: number 'x' is not a tag\n");
  EXPECT_EQ(make_error(loaded.problems, "x.xml").text(),
            "x.xml: line 6: A: field 'Foo' is not defined\n"
            "line 7: B: type 'D' is 'A' already (line 6)\n"
            "line 8: C: component 'Bar' is not defined\n"
            "line 16: Way: number 'x' is not a tag [D116]");
}

TEST(QuickFix, BeforeFourTwoACharHasAnyLength) {
  std::string text = file_of(
      order, "",
      R"(<field number="54" name="Side" type="CHAR"><value enum="10" description="TEN"/></field>)");
  text.replace(text.find("minor=\"4\""), 9, "minor=\"1\"");
  const Loaded loaded = load_text(text);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(texts_of(loaded), "");
  EXPECT_EQ(loaded.dictionary->find_field(54)->type, FieldType::String);
}

TEST(QuickFix, AFileThatCannotBeReadSaysWhy) {
  const Loaded loaded = load("/no/such/folder/fix.xml");
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].line, 0U);
  EXPECT_EQ(loaded.problems[0].code, affix::base::MessageCode("O101")) << loaded.problems[0].text;
  const Loaded folder = load("/");
  ASSERT_EQ(folder.problems.size(), 1U);
  EXPECT_EQ(folder.problems[0].code, affix::base::MessageCode("O199")) << folder.problems[0].text;
}

}  // namespace
