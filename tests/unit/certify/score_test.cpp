// SPDX-License-Identifier: MIT
// Expressions of Score: what they mean, what makes them unknown, and what is refused.
#include "certify/score.hpp"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

namespace {

using namespace affix::certify;

/// A limit order without a price; the market is open.
class Order final : public ScoreValues {
 public:
  std::optional<std::string> field(std::string_view name) const override {
    return find(fields_, name);
  }

  std::optional<std::string> code(std::string_view field, std::string_view name) const override {
    return field == "OrdType" ? find(codes_, name) : std::nullopt;
  }

  std::optional<std::string> state(std::string_view name) const override {
    return find(states_, name);
  }

 private:
  using Texts = std::map<std::string, std::string, std::less<>>;

  static std::optional<std::string> find(const Texts& texts, std::string_view name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  }

  Texts fields_{{"OrdType", "2"}, {"OrderQty", "100"}, {"MinQty", "50"}, {"Symbol", "ACME"}};
  Texts codes_{{"Market", "1"}, {"Limit", "2"}};
  Texts states_{{"Market.Phase", "Open"}, {"Market.Match", ""}};
};

std::string truth(std::string_view text) {
  const auto expression = parse_score(text);
  if (!expression) {
    return expression.error();
  }
  const Order order;
  switch (evaluate(*expression, order)) {
    case Truth::False:
      return "false";
    case Truth::True:
      return "true";
    default:
      return "unknown";
  }
}

TEST(Score, ComparesFieldsCodesAndLiterals) {
  EXPECT_EQ(truth("OrdType == ^Limit"), "true");
  EXPECT_EQ(truth("in.OrdType eq ^Market"), "false");
  EXPECT_EQ(truth("OrdType != ^Market and this.OrderQty >= 100"), "true");
  EXPECT_EQ(truth("OrderQty > 99.5"), "true");
  EXPECT_EQ(truth("OrderQty lt MinQty"), "false");
  EXPECT_EQ(truth("Symbol == \"ACME\""), "true");
  EXPECT_EQ(truth("OrdType in {^Market, ^Limit}"), "true");
  EXPECT_EQ(truth("OrderQty between 1 and 99"), "false");
  EXPECT_EQ(truth("OrderQty between 100 and 100 && OrderQty == 100.0"), "true");
}

TEST(Score, RanksItsOperators) {
  EXPECT_EQ(truth("MinQty + 50 == OrderQty"), "true");
  EXPECT_EQ(truth("OrderQty - 2 * MinQty == 0"), "true");
  EXPECT_EQ(truth("OrdType == ^Market and OrderQty == 1 or OrderQty == 100"), "true");
  EXPECT_EQ(truth("OrdType == ^Market and (OrderQty == 1 or OrderQty == 100)"), "false");
  EXPECT_EQ(truth("-OrderQty < 0 /* a comment */ // and another"), "true");
  EXPECT_EQ(truth("!(OrderQty == 100)"), "false");
}

// A field that is absent equals nothing, and is different from all.
TEST(Score, KnowsWhatIsAbsent) {
  EXPECT_EQ(truth("exists OrderQty and !exists Price"), "true");
  EXPECT_EQ(truth("Price == 1"), "false");
  EXPECT_EQ(truth("Price != 1"), "true");
  EXPECT_EQ(truth("Price < 1"), "false");
  EXPECT_EQ(truth("exists $Market.Match"), "false");
}

TEST(Score, IsUnknownWhereItMatters) {
  EXPECT_EQ(truth("$Market.Phase == \"Open\""), "true");
  EXPECT_EQ(truth("$Market.Mood == \"Good\""), "unknown");
  EXPECT_EQ(truth("exists $Book[Symbol == in.Symbol].Level"), "unknown");
  EXPECT_EQ(truth("$Market.Mood == \"Good\" or OrderQty == 100"), "true");
  EXPECT_EQ(truth("$Market.Mood == \"Good\" and OrderQty == 1"), "false");
  EXPECT_EQ(truth("!($Market.Mood == \"Good\") and OrderQty == 100"), "unknown");
  EXPECT_EQ(truth("Parties[PartyRole==4].PartyID == \"X\""), "unknown");
  EXPECT_EQ(truth("OrderQty == ^Limit"), "unknown");
  EXPECT_EQ(truth("out.OrderQty == 100"), "unknown");
}

TEST(Score, RefusesWhatItCannotRead) {
  EXPECT_EQ(truth(""), "a value is wanted at column 1 of the expression");
  EXPECT_EQ(truth("OrderQty >"), "a value is wanted at column 11 of the expression");
  EXPECT_EQ(truth("OrderQty 100"), "an operator is wanted at column 10 of the expression");
  EXPECT_EQ(truth("(OrderQty > 1"), "')' is wanted at column 14 of the expression");
  EXPECT_EQ(truth("OrdType in ^Limit"), "'{' is wanted at column 12 of the expression");
  EXPECT_EQ(truth("Symbol == \"ACME"), "a closing quote is wanted at column 16 of the expression");
  EXPECT_EQ(truth("$ == 1"), "a name is wanted at column 2 of the expression");
  EXPECT_EQ(truth("A[1 == 2"), "']' is wanted at column 2 of the expression");
}

TEST(Score, IsBounded) {
  EXPECT_TRUE(truth(std::string(score_depth_max + 1, '(')).starts_with("an expression of less"));
  EXPECT_TRUE(truth(std::string(score_depth_max + 1, '!') + "A").starts_with("an expression of"));
  std::string chain = "1";
  for (std::size_t at = 0; at <= score_operators_max; ++at) {
    chain += "+1";
  }
  EXPECT_TRUE(truth(chain).starts_with("an expression of fewer operators"));
  EXPECT_TRUE(truth(std::string(score_bytes_max + 1, ' ')).starts_with("an expression of more"));
}

}  // namespace
