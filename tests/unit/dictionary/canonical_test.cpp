// SPDX-License-Identifier: MIT
// The canonical form: its exact bytes, and its additions to QuickFIX's dialect.
#include "affix/dictionary/canonical.hpp"

#include "affix/dictionary/load.hpp"

#include "support/small_dictionary.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace affix::dictionary;
using namespace affix_test;

TEST(Canonical, IsTheseBytes) {
  Parts parts = small_parts();
  parts.version.minor = 4;
  parts.fields[3].own_type = "TICKER \"<&>\"";
  parts.fields[0].values_are_open = true;
  parts.fields[0].union_type = FieldType::Reserved100Plus;
  EXPECT_EQ(write_canonical(Dictionary(parts)),
            R"(<fix type="FIX" major="4" minor="4" servicepack="0">
  <header>
    <field name="Symbol" required="N"/>
  </header>
  <trailer>
    <field name="Symbol" required="N"/>
  </trailer>
  <messages>
    <message name="Order" msgtype="D" msgcat="app">
      <component name="Block" required="N"/>
      <field name="Side" required="Y"/>
    </message>
    <message name="Report" msgtype="AE" msgcat="app">
      <field name="Side" required="N"/>
    </message>
  </messages>
  <components>
    <component name="Block">
      <component name="Parties" required="Y"/>
      <field name="Symbol" required="Y"/>
    </component>
    <component name="Parties">
      <group name="NoPartyIDs" required="Y">
        <field name="PartyID" required="Y"/>
      </group>
    </component>
  </components>
  <fields>
    <field number="54" name="Side" type="CHAR" allowOtherValues="true" unionDataType="Reserved100Plus">
      <value enum="1" description="BUY"/>
      <value enum="2" description="SELL"/>
      <value enum="10" description="TEN"/>
    </field>
    <field number="55" name="Symbol" type="TICKER &quot;&lt;&amp;&gt;&quot;"/>
    <field number="448" name="PartyID" type="STRING"/>
    <field number="453" name="NoPartyIDs" type="NUMINGROUP"/>
  </fields>
</fix>
)");
}

TEST(Canonical, EveryVersionIsReadAgain) {
  for (const char* name : {"FIX.4.0", "FIX.4.4", "FIX.5.0", "FIX.5.0SP2", "FIXT.1.1", "FIX.Latest",
                           "FIX.Latest_EP269", "FIX.5.0SP2_EP254"}) {
    Parts parts = small_parts();
    parts.version = *version_from_text(name);
    const Dictionary dictionary(parts);
    const Loaded again = load_text(write_canonical(dictionary));
    ASSERT_TRUE(again) << name;
    EXPECT_EQ(again.dictionary->version(), parts.version) << name;
    EXPECT_EQ(*again.dictionary, dictionary) << name;
  }
}

TEST(Canonical, PairsAreWrittenOnlyWhereAReaderWouldFindOthers) {
  Parts parts = small_parts();
  parts.fields.push_back(make_field(5000, "Desk", FieldType::Data));
  parts.fields.push_back(make_field(5001, "DeskLen", FieldType::Length));
  parts.fields.push_back(make_field(5002, "Other", FieldType::Length));
  parts.fields[4].length_tag = 5001;
  parts.fields[5].data_tag = 5000;
  EXPECT_EQ(write_canonical(Dictionary(parts)).find("lengthId"), std::string::npos);
  parts.fields[4].length_tag = 5002;
  parts.fields[5].data_tag = 0;
  parts.fields[6].data_tag = 5000;
  const Dictionary other(parts);
  EXPECT_NE(write_canonical(other).find("lengthId=\"5002\""), std::string::npos);
  EXPECT_EQ(*load_text(write_canonical(other)).dictionary, other);
  parts.fields[4].length_tag = 0;
  parts.fields[6].data_tag = 0;
  const Dictionary none(parts);
  EXPECT_NE(write_canonical(none).find("lengthId=\"0\""), std::string::npos);
  EXPECT_EQ(*load_text(write_canonical(none)).dictionary, none);
}

}  // namespace
