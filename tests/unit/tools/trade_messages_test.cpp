// SPDX-License-Identifier: MIT
// The trade client's requests in every version, validated by the version's standard dictionary, and
// reading of reports and market data.
#include "affix/wire/index.hpp"

#include "dialect_case.hpp"
#include "support/fix_text.hpp"
#include "trade/messages/dialect.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::trade {
namespace {

OrderRequest request_of(RequestKind kind) {
  OrderRequest request;
  request.kind = kind;
  request.cl_ord_id = "A2";
  request.orig_cl_ord_id = "A1";
  request.symbol = "IBM";
  request.quantity = {100, 0};
  request.price = base::Decimal{1250, -2};
  return request;
}

class TradeMessages : public ::testing::TestWithParam<const char*> {
 protected:
  static const Dialect& dialect() { return dialect_of(GetParam()); }

  /// A message from the peer, valid until the next.
  wire::MessageView received(std::string_view body) {
    bytes_ = support::make_message(body, GetParam());
    wire::index_message(bytes_, index_);
    return {bytes_, index_};
  }

  /// Reads a market data message.
  bool reads(std::string_view body) { return dialect().read_market_data(received(body), news); }

  BookNews news;

 private:
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

INSTANTIATE_TEST_SUITE_P(Versions, TradeMessages, ::testing::ValuesIn(begin_strings), test_name);

class Written : public WrittenMessage {
 public:
  Written(const char* version, const OrderRequest& request)
      : WrittenMessage(version, msg_type_of(request), [&](const wire::Encoder& begun) {
          return dialect_of(version).write(begun, request, base::UtcTime{1'000'000'000, 0});
        }) {}
};

TEST_P(TradeMessages, ANewOrderHasItsTerms) {
  const Written written(GetParam(), request_of(RequestKind::New));
  const auto view = written.view();
  EXPECT_EQ(view.type(), wire::MsgType("D"));
  EXPECT_EQ(view.find(11), "A2");
  EXPECT_EQ(view.find(41), std::nullopt);
  EXPECT_EQ(view.find(21), "1");
  EXPECT_EQ(view.find(44), "12.50");
  EXPECT_EQ(view.find(60), "19700101-00:00:01.000");
}

TEST_P(TradeMessages, AMarketOrderHasNoPrice) {
  OrderRequest request = request_of(RequestKind::New);
  request.type = OrderType::Market;
  request.price.reset();
  EXPECT_EQ(Written(GetParam(), request).view().find(44), std::nullopt);
}

TEST_P(TradeMessages, ACancelNamesTheOrderAndNoTerms) {
  const Written written(GetParam(), request_of(RequestKind::Cancel));
  EXPECT_EQ(written.view().type(), wire::MsgType("F"));
  EXPECT_EQ(written.view().find(41), "A1");
  EXPECT_EQ(written.view().find(44), std::nullopt);
  EXPECT_EQ(written.view().find(40), std::nullopt);
}

TEST_P(TradeMessages, AReplaceHasBoth) {
  const Written written(GetParam(), request_of(RequestKind::Replace));
  EXPECT_EQ(written.view().type(), wire::MsgType("G"));
  EXPECT_EQ(written.view().find(41), "A1");
  EXPECT_EQ(written.view().find(44), "12.50");
  EXPECT_EQ(written.view().find(38), "100");
}

TEST_P(TradeMessages, ASubscriptionNamesItsEntryTypes) {
  const std::vector<std::string> symbols{"IBM", "MSFT"};
  const WrittenMessage written(GetParam(), "V", [&](const wire::Encoder& begun) {
    return dialect().write(begun, BookSubscription{"M1", 5, symbols});
  });
  EXPECT_EQ(written.body(),
            "262=M1|263=1|264=5|265=1|267=3|269=0|269=1|269=2|146=2|55=IBM|55=MSFT|");
}

TEST_P(TradeMessages, ReadsAReport) {
  const bool old = std::string_view(GetParam()) == "FIX.4.2";
  const auto report = dialect().read_execution(
      received("35=8|37=1|11=A1|17=2|" + std::string(old ? "20=0|150=1" : "150=F") +
               "|39=1|55=IBM|54=1|38=100|32=40|31=12.5|151=60|14=40|6=12.5|"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->cl_ord_id, "A1");
  EXPECT_EQ(report->type, old ? ExecType::PartialFill : ExecType::Trade);
  EXPECT_EQ(report->status, OrderStatus::PartiallyFilled);
  EXPECT_EQ(report->quantity, (base::Decimal{100, 0}));
  EXPECT_EQ(report->last_quantity, (base::Decimal{40, 0}));
  EXPECT_EQ(report->leaves, (base::Decimal{60, 0}));
}

TEST_P(TradeMessages, AReportWithoutItsQuantitiesIsNone) {
  for (const char* body : {"35=8|11=A1|150=0|39=1|151=60|", "35=8|150=0|39=1|151=60|14=1|",
                           "35=8|11=A1|150=0|39=1|151=6x|14=40|", "35=9|11=A1|"}) {
    EXPECT_FALSE(dialect().read_execution(received(body))) << body;
  }
}

TEST_P(TradeMessages, ReadsACancelReject) {
  EXPECT_EQ(dialect().read_cancel_reject(received("35=9|37=1|11=A2|41=A1|39=2|434=1|")), "A2");
  EXPECT_EQ(dialect().read_cancel_reject(received("35=9|37=1|41=A1|39=2|434=1|")), "");
}

TEST_P(TradeMessages, ReadsASnapshot) {
  const bool fix50 = std::string_view(GetParam()) == "FIXT.1.1";
  ASSERT_TRUE(reads("35=W|262=M1|55=IBM|268=2|269=0|270=12.5|271=300|346=3|" +
                    std::string(fix50 ? "1023" : "290") + "=1|269=2|270=12.4|271=5|"));
  EXPECT_TRUE(news.snapshot);
  EXPECT_EQ(news.request_id, "M1");
  EXPECT_EQ(news.symbol, "IBM");
  ASSERT_EQ(news.entries.size(), 2U);
  EXPECT_EQ(news.entries[0].type, EntryType::Bid);
  EXPECT_EQ(news.entries[0].price, (base::Decimal{125, -1}));
  EXPECT_EQ(news.entries[0].quantity, (base::Decimal{300, 0}));
  EXPECT_EQ(news.entries[0].order_count, 3);
  EXPECT_EQ(news.entries[0].position, 1);
  EXPECT_EQ(news.entries[1].type, EntryType::Trade);
  EXPECT_EQ(news.entries[1].position, std::nullopt);
  ASSERT_TRUE(reads("35=W|262=M2|55=IBM|268=0|"));
  EXPECT_TRUE(news.entries.empty());
  ASSERT_TRUE(reads("35=W|262=M2|55=IBM|268=1|269=J|"));
  EXPECT_TRUE(news.entries.empty());
}

TEST_P(TradeMessages, ReadsIncrements) {
  ASSERT_TRUE(
      reads("35=X|262=M1|268=2|279=2|269=1|55=IBM|270=12.6|"
            "279=0|269=0|55=MSFT|270=1|271=2|346=1|"));
  EXPECT_FALSE(news.snapshot);
  ASSERT_EQ(news.entries.size(), 2U);
  EXPECT_EQ(news.entries[0].action, UpdateAction::Delete);
  EXPECT_EQ(news.entries[0].quantity, std::nullopt);
  EXPECT_EQ(news.entries[1].symbol, "MSFT");
}

TEST_P(TradeMessages, UnreadableMarketDataIsReportedFromReadable) {
  for (const char* body :
       {"35=W|262=M1|268=0|", "35=W|262=M1|55=IBM|", "35=W|262=M1|55=IBM|268=2|269=0|270=1|271=1|",
        "35=W|262=M1|55=IBM|268=1|269=0|270=x|", "35=W|262=M1|55=IBM|268=1|269=~|270=1|",
        "35=W|262=M1|55=IBM|268=1|269=0|", "35=X|262=M1|268=0|", "35=X|262=M1|",
        "35=X|262=M1|268=1|279=9|269=0|55=IBM|270=1|271=1|",
        "35=X|262=M1|268=1|279=0|269=0|270=1|271=1|", "35=X|262=M1|268=1|279=0|55=IBM|270=1|271=1|",
        "35=8|262=M1|"}) {
    EXPECT_FALSE(reads(body)) << body;
  }
}

}  // namespace
}  // namespace affix::tools::trade
