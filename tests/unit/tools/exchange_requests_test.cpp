// SPDX-License-Identifier: MIT
// Members' FIX messages read as commands, and the faults reported for others; the same in every
// version.
#include "affix/wire/index.hpp"

#include "dialect_case.hpp"
#include "exchange/messages/dialect.hpp"
#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace affix::tools::exchange {
namespace {

/// A message that outlives the views of the request read from it.
class Requests : public ::testing::TestWithParam<const char*> {
 protected:
  std::expected<Request, BadRequest> read(std::string_view body) {
    bytes_ = support::make_message(body, GetParam());
    wire::index_message(bytes_, index_);
    EXPECT_TRUE(index_.whole());
    return dialect_of(GetParam()).read_request(wire::MessageView(bytes_, index_), 7, "RUN-");
  }

  /// A request that must be invalid.
  BadRequest bad(std::string_view body) {
    const auto request = read(body);
    EXPECT_FALSE(request) << body;
    return request ? BadRequest{} : request.error();
  }

 private:
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

INSTANTIATE_TEST_SUITE_P(Versions, Requests, ::testing::ValuesIn(begin_strings), test_name);

TEST_P(Requests, ReadsANewOrder) {
  const auto request = read("35=D|11=A1|55=IBM|54=1|38=100|40=2|44=12.50|59=3|");
  ASSERT_TRUE(request);
  const auto& order = std::get<NewOrder>(*request);
  EXPECT_EQ(order.owner, 7U);
  EXPECT_EQ(order.cl_ord_id, "A1");
  EXPECT_EQ(order.symbol, "IBM");
  EXPECT_EQ(order.side, Side::Buy);
  EXPECT_EQ(order.type, OrderType::Limit);
  EXPECT_EQ(order.time_in_force, TimeInForce::ImmediateOrCancel);
  EXPECT_EQ(order.quantity, (base::Decimal{100, 0}));
  EXPECT_EQ(order.price, (base::Decimal{125, -1}));
}

TEST_P(Requests, AMissingPriceIsNotZero) {
  const auto request = read("35=D|11=A1|55=IBM|54=1|40=1|");
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<NewOrder>(*request).price, std::nullopt);
  EXPECT_EQ(std::get<NewOrder>(*request).quantity, std::nullopt);
}

TEST_P(Requests, ACodeThatNoVersionHasIsTheMatchingEnginesToRefuse) {
  const auto request = read("35=D|11=A1|55=IBM|54=~|38=1|40=!|44=1|59=?|");
  ASSERT_TRUE(request);
  const auto& order = std::get<NewOrder>(*request);
  EXPECT_EQ(static_cast<char>(order.side), '~');
  EXPECT_EQ(static_cast<char>(order.type), '!');
  EXPECT_EQ(static_cast<char>(order.time_in_force), '?');
}

TEST_P(Requests, ReadsCancelReplaceAndStatus) {
  const auto cancel = read("35=F|41=A1|11=A2|55=IBM|54=2|37=RUN-42|");
  ASSERT_TRUE(cancel);
  EXPECT_EQ(std::get<CancelOrder>(*cancel).orig_cl_ord_id, "A1");
  EXPECT_EQ(std::get<CancelOrder>(*cancel).order_id, OrderId{42});
  const auto replace = read("35=G|41=A1|11=A2|55=IBM|54=2|38=5|40=2|44=1|");
  ASSERT_TRUE(replace);
  EXPECT_EQ(std::get<ReplaceOrder>(*replace).time_in_force, std::nullopt);
  EXPECT_EQ(std::get<ReplaceOrder>(*replace).quantity, (base::Decimal{5, 0}));
  const auto status = read("35=H|11=A1|55=IBM|54=1|");
  ASSERT_TRUE(status);
  EXPECT_EQ(std::get<StatusRequest>(*status).order_id, std::nullopt);
}

TEST_P(Requests, AnOrderIdOfAnotherRunIsNoOrders) {
  const auto cancel = read("35=F|41=A1|11=A2|54=2|37=OLD-42|");
  ASSERT_TRUE(cancel);
  EXPECT_EQ(std::get<CancelOrder>(*cancel).order_id, OrderId{0});
}

TEST_P(Requests, NamesTheFirstFieldAtFault) {
  const BadRequest missing = bad("35=D|11=A1|54=1|38=100|40=2|44=1|");
  EXPECT_EQ(missing.tag, 55U);
  EXPECT_EQ(missing.reason, session::BusinessRejectReason::RequiredFieldMissing);
  const BadRequest unreadable = bad("35=D|11=A1|55=IBM|54=1|38=12abc|40=2|44=1|");
  EXPECT_EQ(unreadable.tag, 38U);
  EXPECT_EQ(unreadable.reason, session::BusinessRejectReason::Other);
  EXPECT_EQ(bad("35=D|11=A1|55=IBM|54=12|38=1|40=2|44=1|").tag, 54U);
  EXPECT_EQ(bad("35=D|11=A1|55=IBM|54=1|38=1|40=2|44=1|59=|").tag, 59U);
  EXPECT_EQ(bad("35=H|11=A1|54=1|").tag, 55U);
}

TEST_P(Requests, RefusesOtherTypes) {
  for (const char* body : {"35=R|131=1|", "35=DD|11=A|", "35=8|11=A|"}) {
    const BadRequest refused = bad(body);
    EXPECT_EQ(refused.reason, session::BusinessRejectReason::UnsupportedMessageType) << body;
    EXPECT_EQ(refused.tag, 0U);
  }
}

TEST_P(Requests, ReadsAMarketDataRequest) {
  const auto read_request =
      read("35=V|262=M1|263=1|264=5|265=1|266=Y|267=2|269=0|269=2|146=2|55=IBM|65=X|55=MSFT|");
  ASSERT_TRUE(read_request);
  const auto& request = std::get<MarketDataRequest>(*read_request);
  EXPECT_EQ(request.owner, 7U);
  EXPECT_EQ(request.id, "M1");
  EXPECT_EQ(request.type, SubscriptionType::Subscribe);
  EXPECT_EQ(request.depth, 5);
  EXPECT_EQ(request.update_type, UpdateType::Incremental);
  EXPECT_TRUE(request.aggregated);
  EXPECT_EQ(request.entry_types, (std::vector<EntryType>{EntryType::Bid, EntryType::Trade}));
  EXPECT_EQ(request.symbols, (std::vector<std::string_view>{"IBM", "MSFT"}));
}

TEST_P(Requests, AMarketDataRequestsCodesAreThePublishersToRefuse) {
  const auto read_request = read("35=V|262=M1|263=7|264=-1|265=3|266=N|267=1|269=~|146=1|55=IBM|");
  ASSERT_TRUE(read_request);
  const auto& request = std::get<MarketDataRequest>(*read_request);
  EXPECT_EQ(static_cast<char>(request.type), '7');
  EXPECT_EQ(request.depth, -1);
  EXPECT_EQ(static_cast<char>(request.update_type.value()), '3');
  EXPECT_FALSE(request.aggregated);
  EXPECT_EQ(static_cast<char>(request.entry_types.at(0)), '~');
}

TEST_P(Requests, ToEndASubscriptionItsIdIsEnough) {
  const auto request = read("35=V|262=M1|263=2|");
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<MarketDataRequest>(*request).type, SubscriptionType::Unsubscribe);
}

TEST_P(Requests, NamesMissingFieldsOfAMarketDataRequest) {
  const auto fault = [this](std::string_view body, std::uint32_t tag, bool missing) {
    const BadRequest refused = bad(body);
    EXPECT_EQ(refused.tag, tag) << body;
    EXPECT_EQ(refused.reason, missing ? session::BusinessRejectReason::RequiredFieldMissing
                                      : session::BusinessRejectReason::Other)
        << body;
  };
  fault("35=V|263=0|264=0|267=1|269=0|146=1|55=IBM|", 262, true);
  fault("35=V|262=M|264=0|267=1|269=0|146=1|55=IBM|", 263, true);
  fault("35=V|262=M|263=0|267=1|269=0|146=1|55=IBM|", 264, true);
  fault("35=V|262=M|263=0|264=x|267=1|269=0|146=1|55=IBM|", 264, false);
  fault("35=V|262=M|263=0|264=0|265=x|267=1|269=0|146=1|55=IBM|", 265, false);
  fault("35=V|262=M|263=0|264=0|266=x|267=1|269=0|146=1|55=IBM|", 266, false);
  fault("35=V|262=M|263=0|264=0|146=1|55=IBM|", 267, true);
  fault("35=V|262=M|263=0|264=0|267=0|146=1|55=IBM|", 267, true);
  fault("35=V|262=M|263=0|264=0|267=2|269=0|146=1|55=IBM|", 267, false);
  fault("35=V|262=M|263=0|264=0|267=1|269=00|146=1|55=IBM|", 269, false);
  fault("35=V|262=M|263=0|264=0|267=1|269=0|", 146, true);
  fault("35=V|262=M|263=0|264=0|267=1|269=0|146=1|65=X|", 146, false);
  fault("35=V|262=M|263=0|264=0|267=1|269=0|146=1|55=|", 55, false);
}

}  // namespace
}  // namespace affix::tools::exchange
