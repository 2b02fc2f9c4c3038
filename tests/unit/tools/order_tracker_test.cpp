// SPDX-License-Identifier: MIT
// The trade client's record of its orders, report by report, with correct and faulty
// counterparties.
#include "trade/flow/order_tracker.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::tools::trade {
namespace {

using base::Decimal;
using Refusal = OrderTracker::Refusal;

OrderRequest order(std::string name, std::int64_t quantity = 100, std::int64_t due_ns = 0) {
  OrderRequest request;
  request.cl_ord_id = std::move(name);
  request.symbol = "ACME";
  request.quantity = {quantity, 0};
  request.price = Decimal{10, 0};
  request.due_ns = due_ns;
  return request;
}

OrderRequest change(RequestKind kind, std::string name, std::string original,
                    std::int64_t quantity = 100) {
  OrderRequest request = order(std::move(name), quantity);
  request.kind = kind;
  request.orig_cl_ord_id = std::move(original);
  return request;
}

ExecutionNews news(std::string_view name, ExecType type, OrderStatus status, std::int64_t leaves,
                   std::int64_t filled, std::int64_t last = 0) {
  ExecutionNews report;
  report.cl_ord_id = name;
  report.type = type;
  report.status = status;
  report.leaves = {leaves, 0};
  report.filled = {filled, 0};
  report.last_quantity = {last, 0};
  return report;
}

struct Client {
  ReportFault report(std::string_view name, ExecType type, OrderStatus status, std::int64_t leaves,
                     std::int64_t filled, std::int64_t last = 0) {
    return tracker.on_execution(news(name, type, status, leaves, filled, last), 0).fault;
  }

  void send_and_ack(const std::string& name, std::int64_t quantity = 100) {
    ASSERT_EQ(tracker.on_sent(order(name, quantity)), Refusal::None);
    ASSERT_EQ(report(name, ExecType::New, OrderStatus::New, quantity, 0), ReportFault::None);
  }

  [[nodiscard]] OrderStatus status(std::string_view name) const {
    return tracker.find(name)->status;
  }

  OrderTracker tracker{1000};
};

TEST(OrderTracker, FollowsAnOrderToItsLastFill) {
  Client client;
  ASSERT_EQ(client.tracker.on_sent(order("A", 100, 500)), Refusal::None);
  EXPECT_EQ(client.status("A"), OrderStatus::PendingNew);
  EXPECT_EQ(client.tracker.counters().outstanding, 1U);
  EXPECT_EQ(client.tracker.idle_count(), 0U);
  const NewsOutcome outcome =
      client.tracker.on_execution(news("A", ExecType::New, OrderStatus::New, 100, 0), 1'700);
  EXPECT_EQ(outcome.fault, ReportFault::None);
  EXPECT_EQ(outcome.round_trip_ns, 1'200);
  EXPECT_EQ(client.tracker.idle_count(), 1U);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::PartiallyFilled, 70, 30, 30),
            ReportFault::None);
  EXPECT_EQ(client.status("A"), OrderStatus::PartiallyFilled);
  EXPECT_EQ(client.report("A", ExecType::Fill, OrderStatus::Filled, 0, 100, 70), ReportFault::None);
  EXPECT_EQ(client.status("A"), OrderStatus::Filled);
  const FlowCounters& counters = client.tracker.counters();
  EXPECT_EQ(counters.acked, 1U);
  EXPECT_EQ(counters.fills, 2U);
  EXPECT_EQ(counters.filled, 1U);
  EXPECT_EQ(counters.outstanding, 0U);
  EXPECT_EQ(counters.faulty_reports(), 0U);
  EXPECT_EQ(client.tracker.open_count(), 0U);
  EXPECT_EQ(client.tracker.idle_count(), 0U);
}

TEST(OrderTracker, FollowsTheChainOfReplacesAndItsCancel) {
  Client client;
  client.send_and_ack("A");
  ASSERT_EQ(client.tracker.on_sent(change(RequestKind::Replace, "B", "A", 150)), Refusal::None);
  EXPECT_EQ(client.tracker.find("A")->pending_requests, 1U);
  EXPECT_EQ(client.tracker.idle_count(), 0U);
  // A fill that crossed the replace counts by the old quantity and has the old name.
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::PartiallyFilled, 60, 40, 40),
            ReportFault::None);
  EXPECT_EQ(client.report("B", ExecType::PendingReplace, OrderStatus::PendingReplace, 60, 40),
            ReportFault::None);
  EXPECT_EQ(client.tracker.counters().outstanding, 1U);
  EXPECT_EQ(client.report("B", ExecType::Replaced, OrderStatus::Replaced, 110, 40),
            ReportFault::None);
  EXPECT_EQ(client.tracker.find("A")->cl_ord_id, "B");
  EXPECT_EQ(client.tracker.find("A")->quantity, (Decimal{150, 0}));
  EXPECT_EQ(client.status("B"), OrderStatus::PartiallyFilled);
  EXPECT_EQ(client.tracker.idle_count(), 1U);
  ASSERT_EQ(client.tracker.on_sent(change(RequestKind::Cancel, "C", "B")), Refusal::None);
  EXPECT_EQ(client.report("C", ExecType::Canceled, OrderStatus::Canceled, 0, 40),
            ReportFault::None);
  EXPECT_EQ(client.status("B"), OrderStatus::Canceled);
  EXPECT_EQ(client.tracker.counters().replaced, 1U);
  EXPECT_EQ(client.tracker.counters().canceled, 1U);
  EXPECT_EQ(client.tracker.counters().outstanding, 0U);
  EXPECT_EQ(client.tracker.counters().faulty_reports(), 0U);
}

TEST(OrderTracker, RequestsMayBeOnTheirWayAtOnce) {
  Client client;
  ASSERT_EQ(client.tracker.on_sent(order("A")), Refusal::None);
  ASSERT_EQ(client.tracker.on_sent(change(RequestKind::Replace, "B", "A", 120)), Refusal::None);
  ASSERT_EQ(client.tracker.on_sent(change(RequestKind::Cancel, "C", "B")), Refusal::None);
  EXPECT_EQ(client.tracker.counters().outstanding, 3U);
  EXPECT_EQ(client.report("A", ExecType::New, OrderStatus::New, 100, 0), ReportFault::None);
  EXPECT_EQ(client.report("B", ExecType::Replaced, OrderStatus::New, 120, 0), ReportFault::None);
  EXPECT_EQ(client.report("C", ExecType::Canceled, OrderStatus::Canceled, 0, 0), ReportFault::None);
  EXPECT_EQ(client.tracker.counters().outstanding, 0U);
}

TEST(OrderTracker, ARefusedCancelLeavesTheOrder) {
  Client client;
  client.send_and_ack("A");
  ASSERT_EQ(client.tracker.on_sent(change(RequestKind::Cancel, "C", "A")), Refusal::None);
  const NewsOutcome outcome = client.tracker.on_cancel_reject("C", 77);
  EXPECT_EQ(outcome.fault, ReportFault::None);
  EXPECT_EQ(outcome.round_trip_ns, 77);
  EXPECT_EQ(client.status("A"), OrderStatus::New);
  EXPECT_EQ(client.tracker.idle_count(), 1U);
  EXPECT_EQ(client.tracker.on_cancel_reject("C", 0).fault, ReportFault::UnexpectedReply);
  EXPECT_EQ(client.tracker.on_cancel_reject("A", 0).fault, ReportFault::UnexpectedReply);
  EXPECT_EQ(client.tracker.on_cancel_reject("Z", 0).fault, ReportFault::UnknownOrder);
  EXPECT_EQ(client.tracker.counters().cancel_rejects, 1U);
}

TEST(OrderTracker, ARejectedOrderHasEnded) {
  Client client;
  ASSERT_EQ(client.tracker.on_sent(order("A")), Refusal::None);
  EXPECT_EQ(client.report("A", ExecType::Rejected, OrderStatus::Rejected, 0, 0), ReportFault::None);
  EXPECT_EQ(client.status("A"), OrderStatus::Rejected);
  EXPECT_EQ(client.tracker.counters().rejected, 1U);
  EXPECT_EQ(client.tracker.counters().acked, 0U);
  EXPECT_EQ(client.tracker.on_sent(change(RequestKind::Cancel, "C", "A")), Refusal::OrderEnded);
}

TEST(OrderTracker, RequestsThatCannotBeFollowedAreRefused) {
  Client client;
  client.send_and_ack("A");
  EXPECT_EQ(client.tracker.on_sent(order("A")), Refusal::BadName);
  EXPECT_EQ(client.tracker.on_sent(order("")), Refusal::BadName);
  EXPECT_EQ(client.tracker.on_sent(order(std::string(64, 'x'))), Refusal::BadName);
  EXPECT_EQ(client.tracker.on_sent(change(RequestKind::Cancel, "C", "Z")), Refusal::UnknownOrder);
  EXPECT_EQ(client.tracker.counters().orders_sent, 1U);
  EXPECT_EQ(client.tracker.counters().cancels_sent, 0U);
}

TEST(OrderTracker, EveryInconsistentReportIsNoticed) {
  Client client;
  client.send_and_ack("A");
  EXPECT_EQ(client.report("Z", ExecType::New, OrderStatus::New, 100, 0), ReportFault::UnknownOrder);
  EXPECT_EQ(client.report("A", ExecType::New, OrderStatus::New, 90, 0), ReportFault::WrongSum);
  EXPECT_EQ(client.report("A", ExecType::New, OrderStatus::PartiallyFilled, 100, 0),
            ReportFault::StatusMismatch);
  ExecutionNews other_quantity = news("A", ExecType::New, OrderStatus::New, 100, 0);
  other_quantity.quantity = Decimal{99, 0};
  EXPECT_EQ(client.tracker.on_execution(other_quantity, 0).fault, ReportFault::WrongQuantity);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::PartiallyFilled, 90, 10, 10),
            ReportFault::None);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::PartiallyFilled, 90, 10, 10),
            ReportFault::DuplicateFill);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::PartiallyFilled, 60, 40, 10),
            ReportFault::MissedFill);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::Filled, 10, 90, 50),
            ReportFault::StatusMismatch);
  EXPECT_EQ(client.report("A", ExecType::Canceled, OrderStatus::Canceled, 0, 90),
            ReportFault::AfterEnd);
  EXPECT_EQ(client.report("A", ExecType::Trade, OrderStatus::Filled, 0, 90, 50),
            ReportFault::DuplicateFill);

  client.send_and_ack("B");
  EXPECT_EQ(client.report("B", ExecType::Trade, OrderStatus::Filled, 0, 110, 110),
            ReportFault::Overfill);
  client.send_and_ack("C");
  EXPECT_EQ(client.report("C", ExecType::Replaced, OrderStatus::New, 100, 0),
            ReportFault::UnexpectedReply);
  EXPECT_EQ(client.report("C", ExecType::Canceled, OrderStatus::Canceled, 100, 0),
            ReportFault::WrongSum);
  EXPECT_EQ(client.tracker.counters().faulty_reports(), 12U);
  EXPECT_EQ(client.tracker.open_count(), 0U);
}

TEST(OrderTracker, StatusReportsChangeNothing) {
  Client client;
  client.send_and_ack("A");
  EXPECT_EQ(client.report("A", ExecType::OrderStatus, OrderStatus::Filled, 0, 100),
            ReportFault::None);
  EXPECT_EQ(client.status("A"), OrderStatus::New);
}

TEST(OrderTracker, StatusesWeHaveNoNameForKeepTheOrderOpen) {
  Client client;
  client.send_and_ack("A");
  EXPECT_EQ(client.report("A", static_cast<ExecType>('9'), static_cast<OrderStatus>('9'), 100, 0),
            ReportFault::None);
  EXPECT_EQ(client.tracker.open_count(), 1U);
}

TEST(OrderTracker, MemoryIsBoundedAndOldOrdersAreForgotten) {
  OrderTracker tracker(4);
  for (int round = 0; round < 100; ++round) {
    const std::string name = "N" + std::to_string(round);
    const std::string cancel_name = "C" + std::to_string(round);
    ASSERT_EQ(tracker.on_sent(order(name)), Refusal::None);
    ASSERT_EQ(tracker.on_execution(news(name, ExecType::New, OrderStatus::New, 100, 0), 0).fault,
              ReportFault::None);
    ASSERT_EQ(tracker.on_sent(change(RequestKind::Cancel, cancel_name, name)), Refusal::None);
    ASSERT_EQ(
        tracker.on_execution(news(cancel_name, ExecType::Canceled, OrderStatus::Canceled, 0, 0), 0)
            .fault,
        ReportFault::None);
  }
  EXPECT_FALSE(tracker.find("N0").has_value());
  EXPECT_TRUE(tracker.find("N99").has_value());
  for (int open = 0; open < 4; ++open) {
    ASSERT_EQ(tracker.on_sent(order("O" + std::to_string(open))), Refusal::None);
  }
  EXPECT_EQ(tracker.on_sent(order("O4")), Refusal::TooManyOrders);
}

TEST(OrderTracker, AnOrderOutlivesItsNameWhileItsCancelIsUnanswered) {
  OrderTracker tracker(2);
  ASSERT_EQ(tracker.on_sent(order("A")), Refusal::None);
  ASSERT_EQ(tracker.on_sent(change(RequestKind::Cancel, "C", "A")), Refusal::None);
  ASSERT_EQ(
      tracker.on_execution(news("A", ExecType::Trade, OrderStatus::Filled, 0, 100, 100), 0).fault,
      ReportFault::None);
  ASSERT_EQ(tracker.on_sent(order("B", 7)), Refusal::None);
  ASSERT_TRUE(tracker.find("C").has_value());
  EXPECT_EQ(tracker.find("C")->cl_ord_id, "");
  EXPECT_EQ(tracker.find("C")->status, OrderStatus::Filled);
  EXPECT_EQ(tracker.on_cancel_reject("C", 0).fault, ReportFault::None);
  EXPECT_EQ(tracker.counters().outstanding, 1U);
}

}  // namespace
}  // namespace affix::tools::trade
