// SPDX-License-Identifier: MIT
// Order files: the meaning of rows, and all faults found in one pass.
#include "trade/flow/order_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace affix::tools::trade {
namespace {

using base::Decimal;

std::vector<std::string> problems_of(std::string_view text) {
  const OrderFile file = parse_orders(text, "P");
  std::vector<std::string> texts;
  if (!file) {
    for (const FileProblem& problem : file.error()) {
      texts.push_back(problem.text());
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(OrderFile, RowsBecomeRequests) {
  const OrderFile file = parse_orders(
      "ClOrdID,Symbol,Side,OrdType,OrderQty,Price,TimeInForce,Delay\n"
      "A1,ACME,1,2,100,10.50,GTC,\n"
      ",ACME,Sell,Market,5,,,1.5\n"
      "A3,\"X,Y\",5,Limit,0.25,-3,4,10\n",
      "P");
  ASSERT_TRUE(file.has_value());
  ASSERT_EQ(file->size(), 3U);
  const OrderRequest& first = (*file)[0];
  EXPECT_EQ(first.kind, RequestKind::New);
  EXPECT_EQ(first.cl_ord_id, "A1");
  EXPECT_EQ(first.symbol, "ACME");
  EXPECT_EQ(first.side, Side::Buy);
  EXPECT_EQ(first.type, OrderType::Limit);
  EXPECT_EQ(first.quantity, (Decimal{100, 0}));
  EXPECT_EQ(first.price, (Decimal{1050, -2}));
  EXPECT_EQ(first.time_in_force, TimeInForce::GoodTillCancel);
  EXPECT_EQ(first.due_ns, 0);
  const OrderRequest& second = (*file)[1];
  EXPECT_EQ(second.cl_ord_id, "P2");
  EXPECT_EQ(second.type, OrderType::Market);
  EXPECT_FALSE(second.price.has_value());
  EXPECT_EQ(second.time_in_force, TimeInForce::Day);
  EXPECT_EQ(second.due_ns, 1'500'000);
  const OrderRequest& third = (*file)[2];
  EXPECT_EQ(third.symbol, "X,Y");
  EXPECT_EQ(third.side, Side::SellShort);
  EXPECT_EQ(third.quantity, (Decimal{25, -2}));
  EXPECT_EQ(third.time_in_force, TimeInForce::FillOrKill);
  EXPECT_EQ(third.due_ns, 11'500'000);
}

TEST(OrderFile, CancelsAndReplacesTakeMissingValuesFromTheirOrder) {
  const OrderFile file = parse_orders(
      "MsgType,ClOrdID,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price\n"
      "D,A,,ACME,2,2,100,10\n"
      "G,B,A,,,,80,11\n"
      "F,C,B,,,,,\n",
      "P");
  ASSERT_TRUE(file.has_value()) << file.error().front().text();
  ASSERT_EQ(file->size(), 3U);
  EXPECT_EQ((*file)[1].kind, RequestKind::Replace);
  EXPECT_EQ((*file)[1].orig_cl_ord_id, "A");
  EXPECT_EQ((*file)[1].side, Side::Sell);
  EXPECT_EQ((*file)[1].symbol, "ACME");
  EXPECT_EQ((*file)[1].quantity, (Decimal{80, 0}));
  EXPECT_EQ((*file)[2].kind, RequestKind::Cancel);
  EXPECT_EQ((*file)[2].quantity, (Decimal{80, 0}));
  EXPECT_EQ((*file)[2].side, Side::Sell);
}

TEST(OrderFile, EveryProblemIsReportedAtOnce) {
  EXPECT_EQ(
      problems_of("Symbol,Side,OrdType,OrderQty,Price,Delay\n"
                  "ACME,3,2,100,10,\n"
                  ",1,2,1x,,\n"
                  "ACME,1,1,0,5,-1\n"
                  "ACME,1,2\n"
                  "AC\"ME,1,2,1,1,\n"
                  "ACME,,Stop,,1.5.,0.0000001\n"),
      (Texts{"line 2, column 6: Side '3' is not one of 1, 2, 5, Buy, Sell, SellShort",
             "line 3, column 1: Symbol is missing",
             "line 3, column 6: OrderQty '1x' is not a decimal number",
             "line 3, column 9: Price is missing for a limit order",
             "line 4, column 10: OrderQty is not above zero",
             "line 4, column 12: Price is given for a market order",
             "line 4, column 14: Delay is not between 0 and 86400000 milliseconds with at most six "
             "digits after the point",
             "line 5, column 1: the row has 3 fields, the header 6",
             "line 6, column 3: a quote within a field that does not begin with one",
             "line 7, column 6: Side is missing",
             "line 7, column 7: OrdType 'Stop' is not one of 1, 2, Market, Limit",
             "line 7, column 12: OrderQty is missing",
             "line 7, column 13: Price '1.5.' is not a decimal number",
             "line 7, column 18: Delay is not between 0 and 86400000 milliseconds with at most six "
             "digits after the point"}));
}

TEST(OrderFile, HeaderProblemsComeAlone) {
  EXPECT_EQ(problems_of(""),
            Texts{"line 1, column 1: the file is empty: a line with column names is missing"});
  EXPECT_EQ(problems_of("Symbol,Side,Sied,OrderQty,Side\nx\n"),
            (Texts{"line 1, column 1: column 'OrdType' is missing",
                   "line 1, column 13: unknown column 'Sied'",
                   "line 1, column 27: column 'Side' is there twice"}));
}

TEST(OrderFile, NamesMustBeFreshAndTheirOrdersKnown) {
  EXPECT_EQ(problems_of("MsgType,ClOrdID,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price\n"
                        "D,A,Z,ACME,2,2,100,10\n"
                        "D,A,,ACME,2,2,100,10\n"
                        "F,B,nope,ACME,2,2,,\n"
                        "F,C,,ACME,2,2,,\n"
                        "X,E,,ACME,2,2,1,1\n"
                        "D,F\001,,ACME,2,2,1,1\n"
                        "D," +
                        std::string(64, 'n') + ",,ACME,2,2,1,1\n"),
            (Texts{"line 2, column 5: OrigClOrdID is given for a new order",
                   "line 3, column 3: ClOrdID 'A' was used by an earlier row",
                   "line 4, column 5: OrigClOrdID 'nope' is not the ClOrdID of an earlier row",
                   "line 5, column 5: OrigClOrdID is missing for a cancel or replace",
                   "line 6, column 1: MsgType 'X' is not one of D, F, G",
                   "line 7, column 3: ClOrdID holds a control character",
                   "line 8, column 3: ClOrdID is longer than 63 bytes"}));
}

TEST(OrderFile, ReportsABoundedNumberOfProblems) {
  std::string text = "Symbol,Side,OrdType,OrderQty,Price\n";
  for (int row = 0; row < 1000; ++row) {
    text += "ACME,9,2,1,1\n";
  }
  EXPECT_EQ(problems_of(text).size(), order_file_problems_max);
}

TEST(OrderFile, LoadsFromDiskAndSaysWhenItCannot) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) /
      ("affix_order_file_test_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << "Symbol,Side,OrdType,OrderQty,Price\nACME,1,2,1,1\n";
  const OrderFile file = load_orders(path.string(), "P");
  std::filesystem::remove(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->size(), 1U);
  const OrderFile missing = load_orders(path.string(), "P");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().front().message, "cannot read '" + path.string() + "'");
  EXPECT_FALSE(load_orders(testing::TempDir(), "P").has_value());
}

}  // namespace
}  // namespace affix::tools::trade
