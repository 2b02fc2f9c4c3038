// SPDX-License-Identifier: MIT
// Names of dictionaries as identifiers, especially unusual ones.
#include "codegen/naming.hpp"

#include <gtest/gtest.h>

namespace affix::tools::codegen {
namespace {

TEST(SnakeCase, SplitsWhereWordsBegin) {
  EXPECT_EQ(snake_case("ClOrdID"), "cl_ord_id");
  EXPECT_EQ(snake_case("MDEntryPx"), "md_entry_px");
  EXPECT_EQ(snake_case("NoPartyIDs"), "no_party_ids");
  EXPECT_EQ(snake_case("NoNested2PartyIDs"), "no_nested2_party_ids");
  EXPECT_EQ(snake_case("IOIid"), "ioi_id");
  EXPECT_EQ(snake_case("XMLnonFIX"), "xml_non_fix");
  EXPECT_EQ(snake_case("BidID"), "bid_id");
  EXPECT_EQ(snake_case("Rule80A"), "rule80a");
  EXPECT_EQ(snake_case("URLLink"), "url_link");
  EXPECT_EQ(snake_case("SecurityAltIDSource"), "security_alt_id_source");
}

TEST(SnakeCase, MakesAnythingAnIdentifier) {
  EXPECT_EQ(snake_case("Desk Code"), "desk_code");
  EXPECT_EQ(snake_case("  odd--lot/order  "), "odd_lot_order");
  EXPECT_EQ(snake_case("2ndLeg"), "n2nd_leg");
  EXPECT_EQ(snake_case("***"), "n");
  EXPECT_EQ(snake_case("\xC3\xA9tat"), "tat");
}

TEST(SnakeCase, KeepsOffKeywordsMacrosAndOurOwnMembers) {
  EXPECT_EQ(snake_case("Default"), "default_");
  EXPECT_EQ(snake_case("Operator"), "operator_");
  EXPECT_EQ(snake_case("errno"), "errno_");
  EXPECT_EQ(snake_case("Minor"), "minor_");
  EXPECT_EQ(snake_case("View"), "view_");
  EXPECT_EQ(snake_case("Encoder"), "encoder_");
  EXPECT_EQ(file_stem("Default"), "default");
}

TEST(TypeName, KeepsTheDictionarysSpelling) {
  EXPECT_EQ(type_name("NewOrderSingle"), "NewOrderSingle");
  EXPECT_EQ(type_name("IOI"), "IOI");
  EXPECT_EQ(type_name("Odd-Lot order"), "OddLotOrder");
  EXPECT_EQ(type_name("3rdParty"), "N3rdParty");
}

TEST(TypeName, KeepsOffMacros) {
  EXPECT_EQ(type_name("EOF"), "Eof");
  EXPECT_EQ(type_name("DOMAIN"), "Domain");
  EXPECT_EQ(type_name("ERANGE"), "Erange");
  EXPECT_EQ(type_name("SIGTERM"), "Sigterm");
  EXPECT_EQ(type_name("I"), "I_");
  EXPECT_EQ(type_name("B9600"), "B9600_");
  EXPECT_EQ(type_name("PRId64"), "Prid64");
  EXPECT_EQ(type_name("POLLIN"), "Pollin");
  EXPECT_EQ(type_name("PriceType"), "PriceType");
}

TEST(EnumeratorName, RunsWordsTogether) {
  EXPECT_EQ(enumerator_name("PARTIALLY_FILLED", "1"), "PartiallyFilled");
  EXPECT_EQ(enumerator_name("Partially filled", "1"), "PartiallyFilled");
  EXPECT_EQ(enumerator_name("Immediate or cancel (IOC)", "3"), "ImmediateOrCancelIOC");
  EXPECT_EQ(enumerator_name("OVERFLOW", "1"), "Overflow");
  EXPECT_EQ(enumerator_name("NULL", "1"), "Null");
  EXPECT_EQ(enumerator_name("30/360", "1"), "N30_360");
  EXPECT_EQ(enumerator_name("***", "*+"), "Code2A2B");
  EXPECT_EQ(enumerator_name("", "\xFF"), "CodeFF");
}

TEST(NameScope, GivesEachNameOnce) {
  NameScope scope;
  EXPECT_EQ(scope.claim("Buy", "1"), "Buy");
  EXPECT_EQ(scope.claim("Buy", "3"), "Buy_3");
  EXPECT_EQ(scope.claim("Buy", "3"), "Buy_3_2");
  EXPECT_EQ(scope.claim("Buy", "3"), "Buy_3_3");
  EXPECT_EQ(scope.claim("Buy", "*"), "Buy_2");  // Not "Buy_", as the ending is reserved.
  EXPECT_EQ(scope.claim("default_", "7"), "default_");
  EXPECT_EQ(scope.claim("default_", "7"), "default_7");
  scope.reserve("Price");
  EXPECT_EQ(scope.claim("Price", "44"), "Price_44");
}

TEST(NameScope, GivesNamesThatAreFreeWithAllEndings) {
  NameScope scope;
  EXPECT_EQ(scope.claim("OrderWriter", "1", {"", "Writer"}), "OrderWriter");
  EXPECT_EQ(scope.claim("Order", "2", {"", "Writer"}), "Order_2");
  EXPECT_EQ(scope.claim("OrderWriterWriter", "3", {"", "Writer"}), "OrderWriterWriter_3");
  EXPECT_EQ(scope.claim("Order", "4"), "Order");
}

TEST(Namespace, IsIdentifiersAndColons) {
  EXPECT_TRUE(is_namespace("fix44"));
  EXPECT_TRUE(is_namespace("acme::venue_2::messages"));
  for (const char* bad : {"", "::a", "a::", "a:b", "a::::b", "1a", "a b", "a::class", "_a", "a__b",
                          "a-b", "../a", "a::b;"}) {
    EXPECT_FALSE(is_namespace(bad)) << bad;
  }
}

}  // namespace
}  // namespace affix::tools::codegen
