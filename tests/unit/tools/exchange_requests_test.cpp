// SPDX-License-Identifier: MIT
// FIX messages of members read as commands, and what is said of those that are none.
#include "affix/wire/index.hpp"

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
class Requests : public ::testing::Test {
 protected:
  std::expected<Request, BadRequest> read(std::string_view body) {
    bytes_ = support::make_message(body);
    wire::index_message(bytes_, index_);
    EXPECT_TRUE(index_.whole());
    return read_request(wire::MessageView(bytes_, index_), 7, "RUN-");
  }

 private:
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

TEST_F(Requests, ReadsANewOrder) {
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

TEST_F(Requests, AMissingPriceIsNotZero) {
  const auto request = read("35=D|11=A1|55=IBM|54=1|40=1|");
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<NewOrder>(*request).price, std::nullopt);
  EXPECT_EQ(std::get<NewOrder>(*request).quantity, std::nullopt);
}

TEST_F(Requests, ReadsCancelReplaceAndStatus) {
  const auto cancel = read("35=F|41=A1|11=A2|55=IBM|54=2|37=RUN-42|");
  ASSERT_TRUE(cancel);
  EXPECT_EQ(std::get<CancelOrder>(*cancel).orig_cl_ord_id, "A1");
  EXPECT_EQ(std::get<CancelOrder>(*cancel).order_id, OrderId{42});
  const auto replace = read("35=G|41=A1|11=A2|55=IBM|54=2|38=5|40=2|44=1|");
  ASSERT_TRUE(replace);
  EXPECT_EQ(std::get<ReplaceOrder>(*replace).time_in_force, std::nullopt);
  const auto status = read("35=H|11=A1|55=IBM|54=1|");
  ASSERT_TRUE(status);
  EXPECT_EQ(std::get<StatusRequest>(*status).order_id, std::nullopt);
}

TEST_F(Requests, AnOrderIdOfAnotherRunIsNoOrders) {
  const auto cancel = read("35=F|41=A1|11=A2|54=2|37=OLD-42|");
  ASSERT_TRUE(cancel);
  EXPECT_EQ(std::get<CancelOrder>(*cancel).order_id, OrderId{0});
}

TEST_F(Requests, NamesTheFirstFieldAtFault) {
  const auto missing = read("35=D|11=A1|54=1|38=100|40=2|44=1|");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().tag, 55U);
  EXPECT_EQ(missing.error().reason, session::BusinessRejectReason::RequiredFieldMissing);
  const auto unreadable = read("35=D|11=A1|55=IBM|54=1|38=12abc|40=2|44=1|");
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error().tag, 38U);
  EXPECT_EQ(unreadable.error().reason, session::BusinessRejectReason::Other);
}

TEST_F(Requests, RefusesOtherTypes) {
  for (const char* body : {"35=R|131=1|", "35=DD|11=A|", "35=8|11=A|"}) {
    const auto request = read(body);
    ASSERT_FALSE(request) << body;
    EXPECT_EQ(request.error().reason, session::BusinessRejectReason::UnsupportedMessageType);
    EXPECT_EQ(request.error().tag, 0U);
  }
}

}  // namespace
}  // namespace affix::tools::exchange
