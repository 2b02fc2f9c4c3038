// SPDX-License-Identifier: MIT
// Names of fields and values from the standard dictionaries, by the message's version.
#include "log/message_names.hpp"

#include "affix/wire/index.hpp"

#include "dictionary/standard.hpp"
#include "log/record_text.hpp"
#include "support/fix_text.hpp"
#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tools::log {
namespace {

using support::make_message;

/// A message and its index, set as the present one.
class NamedMessage {
 public:
  NamedMessage(MessageNames& names, std::string bytes, const std::string& session = "S")
      : names_(names), bytes_(std::move(bytes)) {
    wire::index_message(bytes_, index_);
    names.turn_to({bytes_, index_}, session);
  }

  [[nodiscard]] std::string lines() const { return field_lines({bytes_, index_}, names_); }

 private:
  MessageNames& names_;
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

TEST(MessageNames, NameFieldsAndValuesOfTheMessagesVersion) {
  MessageNames names;
  const NamedMessage order(names, make_message("35=D|54=1|40=2|58=1|99999=x|", "FIX.4.4"));
  EXPECT_EQ(names.type(), "NewOrderSingle");
  EXPECT_EQ(names.field(54), "Side");
  EXPECT_EQ(names.value(54, "1"), "Buy");
  EXPECT_EQ(names.value(54, "no side"), "");
  EXPECT_EQ(names.field(99'999), "");
  const std::string lines = order.lines();
  EXPECT_NE(lines.find("        35 MsgType              = D  (NewOrderSingle)\n"),
            std::string::npos)
      << lines;
  EXPECT_NE(lines.find("        54 Side                 = 1  (Buy)\n"), std::string::npos);
  EXPECT_NE(lines.find("        58 Text                 = 1\n"), std::string::npos);
  EXPECT_NE(lines.find("     99999                      = x\n"), std::string::npos);
  // The same tag has other values in another version.
  const NamedMessage report(names, make_message("35=8|150=1|", "FIX.4.2"));
  EXPECT_EQ(names.value(150, "1"), "PartialFill");
  EXPECT_TRUE(names.problems().empty());
}

TEST(MessageNames, FixtTakesTheVersionFromTheMessageElseFromTheSessionsLogon) {
  MessageNames names;
  const NamedMessage logon(names, make_message("35=A|98=0|108=30|1137=6|", "FIXT.1.1"), "FOUR");
  EXPECT_EQ(names.type(), "Logon");
  EXPECT_EQ(names.field(1137), "DefaultApplVerID");
  // 1300 (MarketSegmentID) came with 5.0.
  const NamedMessage in_four(names, make_message("35=D|1300=x|", "FIXT.1.1"), "FOUR");
  EXPECT_EQ(names.type(), "NewOrderSingle");
  EXPECT_EQ(names.field(1300), "");
  const NamedMessage in_five(names, make_message("35=D|1128=9|1300=x|", "FIXT.1.1"), "FOUR");
  EXPECT_EQ(names.field(1300), "MarketSegmentID");
  const NamedMessage other(names, make_message("35=D|1300=x|", "FIXT.1.1"), "OTHER");
  EXPECT_EQ(names.field(1300), "MarketSegmentID");
  EXPECT_TRUE(names.problems().empty());
}

TEST(MessageNames, WithoutADictionaryThereAreNoNamesAndOneProblem) {
  MessageNames names("/nowhere");
  for (int message = 0; message < 3; ++message) {
    const NamedMessage order(names, make_message("35=D|54=1|", "FIX.4.4"));
    EXPECT_EQ(names.type(), "");
    EXPECT_EQ(names.field(54), "");
    EXPECT_NE(order.lines().find(" 54                      = 1\n"), std::string::npos);
  }
  ASSERT_EQ(names.problems().size(), 1U);
  EXPECT_TRUE(support::has_message(names.problems()[0], "O101", {"/nowhere/FIX44.xml"}));
}

TEST(MessageNames, AVersionFromOutsideNamesNoFileElsewhere) {
  EXPECT_EQ(dictionary::file_of_begin_string("FIX.4.4"), "FIX44.xml");
  EXPECT_EQ(dictionary::file_of_begin_string("FIXT.1.1"), "FIXT11.xml");
  EXPECT_EQ(dictionary::file_of_begin_string("FIX/../../etc/passwd"), "");
  EXPECT_EQ(dictionary::file_of_begin_string("../FIX.4.4"), "");
  EXPECT_EQ(dictionary::file_of_begin_string(""), "");
  EXPECT_EQ(dictionary::file_of_appl_ver_id("9"), "FIX50SP2.xml");
  EXPECT_EQ(dictionary::file_of_appl_ver_id("99"), "");
  EXPECT_EQ(dictionary::file_of_appl_ver_id(""), "");
}

}  // namespace
}  // namespace affix::tools::log
