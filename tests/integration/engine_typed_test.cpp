// SPDX-License-Identifier: MIT
// Typed messages through an engine: begun and committed by a session, dispatched on arrival, and
// refused if they are incomplete.
#include "affix/fix44/dispatch.hpp"
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/new_order_single.hpp"

#include "support/engine_case.hpp"

namespace affix::support {
namespace {

/// Answers orders with a report.
struct Venue {
  int orders = 0;

  void on_message(const fix44::NewOrderSingle& order, host::SessionHandle session) {
    ++orders;
    auto report = session.begin<fix44::ExecutionReportWriter>();
    report.order_id("V-1").cl_ord_id(order.cl_ord_id().value_or("?")).exec_id("E-1");
    report.exec_type(fix44::ExecType::New).ord_status(fix44::OrdStatus::New);
    report.symbol(order.symbol().value_or("?")).side(fix44::Side::Buy);
    report.leaves_qty(fix44::Qty(1)).cum_qty(fix44::Qty(0)).avg_px(fix44::Price(0));
    EXPECT_TRUE(session.commit(report).sent()) << report.encoder().error_tag();
  }
};

TEST(EngineTyped, OrdersAndReportsAreClasses) {
  Pair pair("FIX.4.4");
  Venue venue;
  pair.venue_application.when_message =
      [&](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        EXPECT_TRUE(fix44::dispatch(message, venue, session));
      };
  std::string answered;
  pair.firm_application.when_message = [&](host::SessionHandle, const wire::MessageView& message,
                                           const host::Delivery&) {
    if (const auto report = fix44::ExecutionReport::from(message)) {
      answered = report->cl_ord_id().value_or("?");
    }
  };
  ASSERT_TRUE(pair.log_on());

  auto incomplete = pair.firm().begin<fix44::NewOrderSingleWriter>();
  incomplete.cl_ord_id("A-0").symbol("IBM");
  const host::SendResult refused = pair.firm().commit(incomplete);
  EXPECT_EQ(refused.status, host::SendStatus::Invalid);
  EXPECT_EQ(refused.encode_error, wire::EncodeError::MissingField);
  EXPECT_EQ(incomplete.encoder().error_tag(), 54U);

  auto order = pair.firm().begin<fix44::NewOrderSingleWriter>();
  order.cl_ord_id("A-1").symbol("IBM").side(fix44::Side::Buy).transact_time({0, 0});
  order.order_qty(fix44::Qty(1)).ord_type(fix44::OrdType::Market);
  const host::SendResult sent = pair.firm().commit(order);
  ASSERT_TRUE(sent.sent());
  EXPECT_EQ(sent.sequence, 2U);  // The refused one consumed no number.
  ASSERT_TRUE(pair.turn_until([&] { return !answered.empty(); }));
  EXPECT_EQ(answered, "A-1");
  EXPECT_EQ(venue.orders, 1);
}

}  // namespace
}  // namespace affix::support
