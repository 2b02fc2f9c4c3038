// SPDX-License-Identifier: MIT
// Matchers of fields, variables and placeholders, and the words of a difference.
#include "certify/expectation.hpp"

#include "certify/text.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace affix::certify;

class Expectation : public testing::Test {
 protected:
  Expectation() : names_(AFFIX_DICTIONARIES) {
    meaning_.version = find_version("4.4");
    meaning_.names = &names_.of(*meaning_.version);
    meaning_.variables = &variables_;
  }

  /// Lines of the differences, with `|` for SOH in the message.
  std::string differences(std::string message, std::string_view expected) {
    for (char& character : message) {
      character = character == '|' ? '\x01' : character;
    }
    const auto pieces = pieces_of(expected, meaning_);
    if (!pieces) {
      return pieces.error();
    }
    comparison_ = compare(message, *pieces, meaning_, seen_);
    std::string text;
    for (const std::string& line : comparison_.differences) {
      text += (text.empty() ? "" : "; ") + line;
    }
    return text;
  }

  Names names_;
  Variables variables_;
  SeenValues seen_;
  Meaning meaning_;
  Comparison comparison_;
};

TEST_F(Expectation, NamesFieldsAndValues) {
  EXPECT_EQ(differences("35=8|39=1|14=30|", "ExecutionReport | OrdStatus=FILLED | CumQty=40"),
            "OrdStatus (39): expected Filled (2), got PartiallyFilled (1); "
            "CumQty (14): expected '40', got '30'");
  EXPECT_EQ(differences("35=8|39=2|", "ExecutionReport|OrdStatus=FILLED"), "");
  EXPECT_EQ(differences("35=8|", "35=8|Sides=1"), "FIX 4.4 has no field Sides");
  EXPECT_EQ(differences("35=8|", "ExecReport"), "FIX 4.4 has no message ExecReport");
}

TEST_F(Expectation, ComparesNumbersByNameAndBytesByTag) {
  EXPECT_EQ(differences("44=50.50|", "Price=50.5"), "");
  EXPECT_EQ(differences("44=50.50|", "44=50.5"), "Price (44): expected '50.5', got '50.50'");
  EXPECT_EQ(differences("11=01|", "ClOrdID=1"), "ClOrdID (11): expected '1', got '01'");
}

TEST_F(Expectation, Matches) {
  EXPECT_EQ(differences("58=hello|", "58=hel*|58=*|58=<any>|!59|59=<absent>"), "");
  EXPECT_EQ(differences("58=hello|", "58=hex*"), "Text (58): expected 'hex...', got 'hello'");
  EXPECT_EQ(differences("58=a|", "!58"), "Text (58): expected no such field, got 'a'");
  EXPECT_EQ(differences("54=2|", "Side=<one of BUY, SELL>"), "");
  EXPECT_EQ(differences("54=5|", "Side=<one of BUY, SELL>"),
            "Side (54): expected Buy (1) or Sell (2), got SellShort (5)");
  EXPECT_EQ(differences("11=ORD-17|", "11=<like ORD-[0-9]*>"), "");
  EXPECT_EQ(differences("11=ORD-X|", "11=<like ORD-[0-9]*>"),
            "ClOrdID (11): expected text like ORD-[0-9]*, got 'ORD-X'");
  EXPECT_EQ(differences("44=10.5|",
                        "44=<between 10 and 10.5>|44=<within 0.5 of 10>|44=<above 10>|"
                        "44=<below 11>|44=<not 10>"),
            "");
  EXPECT_EQ(differences("44=10.51|", "44=<between 10 and 10.5>"),
            "Price (44): expected a number between 10 and 10.5, got '10.51'");
  EXPECT_EQ(differences("60=20260101-10:00:00.123|", "60=<time>"), "");
  EXPECT_EQ(differences("60=noon|", "60=<time>"), "TransactTime (60): expected a time, got 'noon'");
}

TEST_F(Expectation, CountsOccurrences) {
  EXPECT_EQ(differences("269=0|270=10|269=1|270=11|", "MDEntryPx[1]=10|MDEntryPx[2]=11"), "");
  EXPECT_EQ(differences("270=10|", "MDEntryPx[2]=11"),
            "MDEntryPx (270)[2]: expected '11', got no such field");
}

TEST_F(Expectation, KeepsValuesOfAMessageThatIsAsExpected) {
  EXPECT_EQ(differences("37=V-1|17=E-1|", "OrderID=<keep order>|ExecID=<new exec>"), "");
  EXPECT_EQ(comparison_.kept["order"], "V-1");
  seen_["exec"].insert("E-1");
  EXPECT_EQ(differences("17=E-1|", "ExecID=<new exec>"),
            "ExecID (17): expected a value that was not used before, got 'E-1'");
  variables_["order"] = "V-1";
  EXPECT_EQ(differences("37=V-2|", "OrderID=$order"), "OrderID (37): expected 'V-1', got 'V-2'");
}

TEST_F(Expectation, ComparesWithWhatWasSent) {
  const std::string sent =
      "35=1\x01"
      "112=HELLO\x01";
  meaning_.last_sent = sent;
  EXPECT_EQ(differences("112=HELLO|", "112=<sent>"), "");
  EXPECT_EQ(differences("112=BYE|", "112=<sent>"),
            "TestReqID (112): expected 'HELLO', as sent, got 'BYE'");
}

TEST(Text, MatchesPatterns) {
  EXPECT_TRUE(is_like("", "*"));
  EXPECT_TRUE(is_like("abcabd", "*abd"));
  EXPECT_TRUE(is_like("a]c", "a?c"));
  EXPECT_TRUE(is_like("x7", "[a-z][0-9]"));
  EXPECT_TRUE(is_like("x", "[!0-9]"));
  EXPECT_FALSE(is_like("7", "[!0-9]"));
  EXPECT_FALSE(is_like("abc", "ab"));
  EXPECT_FALSE(is_like("ab", "abc"));
  EXPECT_TRUE(is_like("[", "["));
}

TEST(Text, ComparesAndCalculates) {
  EXPECT_EQ(calculated("100 - 30.5"), "69.5");
  EXPECT_EQ(calculated("0.1 + 0.2"), "0.3");
  EXPECT_EQ(calculated("3 * 1.5"), "4.5");
  EXPECT_EQ(calculated("A - B"), "A - B");
  EXPECT_TRUE(holds("1.50", "=", "1.5"));
  EXPECT_TRUE(holds("9", "<", "10"));
  EXPECT_TRUE(holds("B", ">", "A"));
  EXPECT_FALSE(holds("1", "!=", "1.0"));
}

TEST(MessageText, ExpandsOnce) {
  Variables variables{{"a", "$b<now>"}, {"b", "wrong"}};
  std::uint64_t fresh = 0;
  const Meaning meaning{.version = find_version("4.4"),
                        .identity = {"ME", "YOU"},
                        .variables = &variables,
                        .fresh_prefix = "F-",
                        .fresh_count = &fresh};
  EXPECT_EQ(expand("$a ${a}b $$a <us> <them> <unknown> <fresh> <fresh>", meaning),
            "$b<now> $b<now>b $a ME YOU <unknown> F-1 F-2");
  EXPECT_EQ(missing_variable("$a ${c} $$d", variables), "c");
}

TEST(MessageText, FaultsOfAMessage) {
  const Meaning meaning{.version = find_version("4.4"), .identity = {"A", "B"}};
  const auto pieces = pieces_of("35=0", meaning).value();
  const Written right = write_message(pieces, meaning, 7);
  EXPECT_EQ(form_fault(right.bytes, {.version = meaning.version, .identity = {"B", "A"}}), "");
  const Written sum = write_message(pieces, meaning, 7, SendFault::Checksum);
  EXPECT_EQ(form_fault(sum.bytes, {.version = meaning.version, .identity = {"B", "A"}}),
            "CheckSum is wrong");
  const Written length = write_message(pieces, meaning, 7, SendFault::Length);
  EXPECT_EQ(form_fault(length.bytes, {.version = meaning.version, .identity = {"B", "A"}}),
            "BodyLength is wrong");
}

}  // namespace
