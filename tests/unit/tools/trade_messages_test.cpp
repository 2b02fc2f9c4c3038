// SPDX-License-Identifier: MIT
// The trade client's requests as fields, and reports as news.
#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"
#include "trade/messages.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>

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

class Written {
 public:
  explicit Written(const OrderRequest& request) {
    wire::Encoder message(buffer_);
    message.begin("FIX.4.4", msg_type_of(request));
    write_request(message, request, base::UtcTime{1'000'000'000, 0});
    bytes_ = std::string(message.finish().value_or(""));
    wire::index_message(bytes_, index_);
  }

  [[nodiscard]] wire::MessageView view() const { return {bytes_, index_}; }

 private:
  std::array<char, 1024> buffer_;
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

TEST(TradeMessages, ANewOrderHasItsTerms) {
  const Written written(request_of(RequestKind::New));
  const auto view = written.view();
  ASSERT_TRUE(view.index().clean());
  EXPECT_EQ(view.type(), wire::MsgType("D"));
  EXPECT_EQ(view.find(11), "A2");
  EXPECT_EQ(view.find(41), std::nullopt);
  EXPECT_EQ(view.find(21), "1");
  EXPECT_EQ(view.find(44), "12.50");
  EXPECT_EQ(view.find(60), "19700101-00:00:01.000");
}

TEST(TradeMessages, AMarketOrderHasNoPrice) {
  OrderRequest request = request_of(RequestKind::New);
  request.type = OrderType::Market;
  request.price.reset();
  EXPECT_EQ(Written(request).view().find(44), std::nullopt);
}

TEST(TradeMessages, ACancelNamesTheOrderAndNoTerms) {
  const Written written(request_of(RequestKind::Cancel));
  EXPECT_EQ(written.view().type(), wire::MsgType("F"));
  EXPECT_EQ(written.view().find(41), "A1");
  EXPECT_EQ(written.view().find(44), std::nullopt);
  EXPECT_EQ(written.view().find(40), std::nullopt);
}

TEST(TradeMessages, ReadsAReport) {
  const std::string bytes = support::make_message(
      "35=8|37=1|11=A1|17=2|150=F|39=1|55=IBM|54=1|38=100|32=40|31=12.5|151=60|14=40|6=12.5|");
  wire::FieldIndexOf<64> index;
  wire::index_message(bytes, index);
  const auto news = read_execution(wire::MessageView(bytes, index));
  ASSERT_TRUE(news);
  EXPECT_EQ(news->cl_ord_id, "A1");
  EXPECT_EQ(news->type, ExecType::Trade);
  EXPECT_EQ(news->status, OrderStatus::PartiallyFilled);
  EXPECT_EQ(news->last_quantity, (base::Decimal{40, 0}));
  EXPECT_EQ(news->leaves, (base::Decimal{60, 0}));
}

TEST(TradeMessages, AReportWithoutItsQuantitiesIsNone) {
  for (const char* body : {"35=8|11=A1|150=F|39=1|151=60|", "35=8|150=F|39=1|151=60|14=1|",
                           "35=8|11=A1|150=F|39=1|151=6x|14=40|"}) {
    const std::string bytes = support::make_message(body);
    wire::FieldIndexOf<64> index;
    wire::index_message(bytes, index);
    EXPECT_FALSE(read_execution(wire::MessageView(bytes, index))) << body;
  }
}

}  // namespace
}  // namespace affix::tools::trade
