// SPDX-License-Identifier: MIT
// Pairs of length and data fields, found and passed to the codec.
#include "affix/dictionary/data_fields.hpp"

#include "affix/dictionary/load.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace {

using namespace affix::dictionary;
using affix::wire::DataFields;

Dictionary dictionary_of(std::string_view members, std::string_view fields) {
  const Loaded loaded = load_text(
      "<fix major=\"5\" minor=\"0\"><messages><message name=\"M\" msgtype=\"M\" msgcat=\"app\">" +
      std::string(members) + "</message></messages><fields>" + std::string(fields) +
      "</fields></fix>");
  EXPECT_TRUE(loaded);
  return *loaded.dictionary;
}

TEST(DataPairs, StandardNumbersComeBeforeNames) {
  const Dictionary dictionary = dictionary_of(
      "", R"(<field number="93" name="A" type="LENGTH"/><field number="89" name="B" type="DATA"/>
<field number="5000" name="BLen" type="LENGTH"/>)");
  EXPECT_EQ(dictionary.find_field(89)->length_tag, 93U);
  EXPECT_EQ(dictionary.find_field(5000)->data_tag, 0U);
}

TEST(DataPairs, NamesComeBeforePlaces) {
  const Dictionary dictionary = dictionary_of(
      R"(<field name="X" required="N"/><field name="B" required="N"/><field name="Y" required="N"/><field name="C" required="N"/>)",
      R"(<field number="5001" name="X" type="LENGTH"/><field number="5002" name="B" type="DATA"/>
<field number="5003" name="BLength" type="INT"/><field number="5004" name="Y" type="LENGTH"/>
<field number="5005" name="C" type="XMLDATA"/>)");
  EXPECT_EQ(dictionary.find_field(5002)->length_tag, 5003U);
  EXPECT_EQ(dictionary.find_field(5005)->length_tag, 5004U);
  EXPECT_EQ(dictionary.find_field(5001)->data_tag, 0U);
}

TEST(DataPairs, TheCodecLearnsThemAndSaysWhenItIsFull) {
  std::string fields;
  for (unsigned at = 0; at < DataFields::pairs_max; ++at) {
    const std::string name = "F" + std::to_string(at);
    fields += "<field number=\"" + std::to_string(6000 + 2 * at) + "\" name=\"" + name +
              "Len\" type=\"LENGTH\"/><field number=\"" + std::to_string(6001 + 2 * at) +
              "\" name=\"" + name + "\" type=\"DATA\"/>";
  }
  const Dictionary dictionary = dictionary_of("", fields);
  DataFields empty = DataFields::none();
  EXPECT_TRUE(add_data_fields(dictionary, empty));
  EXPECT_EQ(empty.data_tag_of(6000), 6001U);
  EXPECT_EQ(empty.data_tag_of(6510), 6511U);
  EXPECT_EQ(empty.data_tag_of(6001), 0U);
  DataFields standard;
  EXPECT_FALSE(add_data_fields(dictionary, standard));
}

}  // namespace
