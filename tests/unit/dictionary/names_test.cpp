// SPDX-License-Identifier: MIT
// Exactly a dictionary's names are found after the dictionary is gone.
#include "affix/dictionary/names.hpp"

#include "affix/dictionary/load.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace affix::dictionary {
namespace {

TEST(Names, EveryNameOfAStandardDictionaryIsFound) {
  const Loaded loaded = load(AFFIX_DICTIONARIES "/FIX50SP2.xml");
  ASSERT_TRUE(loaded);
  const Names names(*loaded.dictionary);
  for (const Field& field : loaded.dictionary->fields()) {
    ASSERT_EQ(names.field(field.tag), field.name);
  }
  for (const Message& message : loaded.dictionary->messages()) {
    ASSERT_EQ(names.message(message.type), message.name);
  }
  EXPECT_EQ(names.field(0), "");
  EXPECT_EQ(names.field(4'294'967'295U), "");
  EXPECT_EQ(names.message(""), "");
  EXPECT_EQ(names.message("NoSuchType"), "");
}

TEST(Names, OutliveTheDictionaryAndMoves) {
  Names names;
  EXPECT_EQ(names.field(1), "");
  {
    const Loaded loaded = load_text(
        "<fix type='FIX' major='5' minor='0'><header/><trailer/><messages>"
        "<message name='NewOrderSingle' msgtype='D' msgcat='app'><field name='OrderQty' "
        "required='N'/>"
        "</message><message name='VenueNotice' msgtype='UVENUE' msgcat='app'>"
        "<field name='OrderQty' required='N'/></message></messages><components/>"
        "<fields><field number='38' name='OrderQty' type='QTY'/></fields></fix>");
    ASSERT_TRUE(loaded);
    names = Names(*loaded.dictionary);
  }
  std::vector<Names> moved;
  moved.push_back(std::move(names));
  EXPECT_EQ(moved.front().field(38), "OrderQty");
  EXPECT_EQ(moved.front().message("UVENUE"), "VenueNotice");
  EXPECT_EQ(moved.front().message("D"), "NewOrderSingle");
  EXPECT_EQ(moved.front().message("U"), "");
}

}  // namespace
}  // namespace affix::dictionary
