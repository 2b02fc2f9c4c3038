// SPDX-License-Identifier: MIT
// The generated flow: repeatable, on time, within its limits, and traded against the real matching
// engine.
#include "trade/flow/flow_generator.hpp"

#include "exchange/book/matching_engine.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::trade {
namespace {

using base::Decimal;

FlowOptions options_for_test() {
  FlowOptions options;
  options.symbols = {{"ACME", {100, 0}, {5, -2}, {10, 0}}, {"BTC", {30'000, 0}, {1, -1}, {1, -3}}};
  options.cl_ord_id_prefix = "T";
  options.rate_per_second = 1'000;
  return options;
}

TEST(FlowGenerator, SameSeedSameFlow) {
  const OrderTracker nobody(16);
  FlowOptions options = options_for_test();
  auto first = FlowGenerator::make(options);
  auto second = FlowGenerator::make(options);
  options.seed = 2;
  auto other = FlowGenerator::make(options);
  ASSERT_TRUE(first && second && other);
  int differences = 0;
  for (int index = 0; index < 1000; ++index) {
    const OrderRequest one = first->next(nobody);
    const OrderRequest two = second->next(nobody);
    const OrderRequest three = other->next(nobody);
    ASSERT_EQ(one.cl_ord_id, two.cl_ord_id);
    ASSERT_EQ(one.due_ns, two.due_ns);
    ASSERT_EQ(one.quantity, two.quantity);
    ASSERT_EQ(one.price, two.price);
    ASSERT_EQ(one.symbol, two.symbol);
    differences += one.quantity == three.quantity && one.symbol == three.symbol ? 0 : 1;
  }
  EXPECT_GT(differences, 500);
}

TEST(FlowGenerator, EvenArrivalsAreExactAndPoissonOnesOnAverage) {
  const OrderTracker nobody(16);
  FlowOptions options = options_for_test();
  options.rate_per_second = 3;
  options.arrivals = Arrivals::Even;
  auto even = FlowGenerator::make(options);
  ASSERT_TRUE(even.has_value());
  for (std::int64_t index = 0; index < 1000; ++index) {
    ASSERT_EQ(even->due_ns(), index * 1'000'000'000 / 3);
    ASSERT_EQ(even->next(nobody).due_ns, index * 1'000'000'000 / 3);
  }
  options.rate_per_second = 100'000;
  options.arrivals = Arrivals::Poisson;
  auto poisson = FlowGenerator::make(options);
  ASSERT_TRUE(poisson.has_value());
  std::int64_t last = 0;
  for (int index = 0; index < 100'000; ++index) {
    const std::int64_t due = poisson->next(nobody).due_ns;
    ASSERT_GE(due, last);
    last = due;
  }
  EXPECT_NEAR(static_cast<double>(last), 1e9, 2e7);
}

TEST(FlowGenerator, ValuesAreOnTickAndLotAndWithinBounds) {
  const OrderTracker nobody(16);
  FlowOptions options = options_for_test();
  options.request_count = 20'000;
  auto flow = FlowGenerator::make(options);
  ASSERT_TRUE(flow.has_value());
  int markets = 0;
  int buys = 0;
  while (!flow->done()) {
    const OrderRequest request = flow->next(nobody);
    ASSERT_EQ(request.kind, RequestKind::New);
    const FlowSymbol& symbol = options.symbols[request.symbol == "ACME" ? 0 : 1];
    const auto units = request.quantity.mantissa_at(symbol.lot.exponent);
    ASSERT_TRUE(units && *units > 0 && *units % symbol.lot.mantissa == 0);
    ASSERT_LE(*units, symbol.lot.mantissa * options.lots_max);
    markets += request.type == OrderType::Market ? 1 : 0;
    buys += request.side == Side::Buy ? 1 : 0;
    ASSERT_EQ(request.price.has_value(), request.type == OrderType::Limit);
    if (request.price) {
      const auto price = request.price->mantissa_at(symbol.tick.exponent);
      ASSERT_TRUE(price && *price > 0 && *price % symbol.tick.mantissa == 0);
    }
  }
  EXPECT_NEAR(markets, 1'000, 200);
  EXPECT_NEAR(buys, 10'000, 500);
}

TEST(FlowGenerator, EveryBadOptionIsNamed) {
  FlowOptions options = options_for_test();
  options.symbols[0].mid = {1'001, -3};
  options.rate_per_second = 0;
  options.cancel_percent = 60;
  options.replace_percent = 60;
  options.lots_max = 0;
  options.cl_ord_id_prefix = std::string(60, 'x');
  const auto flow = FlowGenerator::make(options);
  ASSERT_FALSE(flow.has_value());
  EXPECT_EQ(flow.error().code, base::ErrorCode::InvalidArgument);
  for (const char* part : {"rate", "100 percent", "lot", "prefix", "symbol 'ACME'"}) {
    EXPECT_NE(flow.error().message.find(part), std::string::npos) << part;
  }
  EXPECT_FALSE(FlowGenerator::make(FlowOptions{}).has_value());
}

/// Passes the exchange's answers directly to the client that owns the order.
class DirectLink : public exchange::EventSink {
 public:
  void on_execution(const exchange::ExecutionReport& report) override {
    ExecutionNews news;
    news.cl_ord_id = report.cl_ord_id;
    news.type = report.type;
    news.status = report.status;
    news.quantity = report.quantity;
    news.last_quantity = report.last_quantity;
    news.leaves = report.leaves;
    news.filled = report.filled;
    const NewsOutcome outcome = clients[report.owner].on_execution(news, now_ns);
    EXPECT_EQ(outcome.fault, ReportFault::None)
        << to_text(outcome.fault) << " " << report.cl_ord_id;
  }

  void on_cancel_reject(const exchange::CancelReject& reject) override {
    EXPECT_EQ(clients[reject.owner].on_cancel_reject(reject.cl_ord_id, now_ns).fault,
              ReportFault::None);
  }

  std::vector<OrderTracker> clients;
  std::int64_t now_ns = 0;
};

void give(exchange::MatchingEngine& engine, OwnerId owner, const OrderRequest& request) {
  switch (request.kind) {
    case RequestKind::New:
      engine.submit({owner, request.cl_ord_id, request.symbol, request.side, request.type,
                     request.time_in_force, request.quantity, request.price});
      break;
    case RequestKind::Cancel:
      engine.cancel({owner, request.cl_ord_id, request.orig_cl_ord_id, std::nullopt, request.symbol,
                     request.side});
      break;
    case RequestKind::Replace:
      engine.replace({owner, request.cl_ord_id, request.orig_cl_ord_id, std::nullopt,
                      request.symbol, request.side, request.type, request.time_in_force,
                      request.quantity, request.price});
      break;
  }
}

TEST(FlowGenerator, FourClientsTradeWithoutOneInconsistentReport) {
  DirectLink link;
  exchange::MatchingEngine engine({.cl_ord_ids_max = 100'000}, link);
  FlowOptions options = options_for_test();
  for (const FlowSymbol& symbol : options.symbols) {
    ASSERT_TRUE(engine
                    .add_instrument({.symbol = symbol.symbol,
                                     .tick = symbol.tick,
                                     .lot = symbol.lot,
                                     .price_min = symbol.tick})
                    .has_value());
  }
  std::vector<FlowGenerator> flows;
  for (std::uint64_t client = 0; client < 4; ++client) {
    options.seed = client;
    options.request_count = 10'000;
    options.open_orders_max = 100;
    auto flow = FlowGenerator::make(options);
    ASSERT_TRUE(flow.has_value());
    flows.push_back(*flow);
    link.clients.emplace_back(std::size_t{20'000});
  }
  while (!flows.back().done()) {
    for (OwnerId client = 0; client < 4; ++client) {
      link.now_ns = flows[client].due_ns();
      const OrderRequest request = flows[client].next(link.clients[client]);
      ASSERT_EQ(link.clients[client].on_sent(request), OrderTracker::Refusal::None);
      give(engine, client, request);
    }
  }
  std::size_t open = 0;
  FlowCounters total;
  for (OwnerId client = 0; client < 4; ++client) {
    const FlowCounters& counters = link.clients[client].counters();
    EXPECT_EQ(counters.faulty_reports(), 0U);
    EXPECT_EQ(counters.outstanding, 0U);
    EXPECT_EQ(counters.rejected, 0U);
    EXPECT_EQ(counters.acked, counters.orders_sent);
    EXPECT_LE(link.clients[client].open_count(), 100U);
    open += link.clients[client].open_count();
    total.fills += counters.fills;
    total.canceled += counters.canceled;
    total.replaced += counters.replaced;
  }
  EXPECT_EQ(open, engine.open_orders());
  EXPECT_EQ(total.fills, engine.counters().trades * 2);
  EXPECT_EQ(total.canceled, engine.counters().canceled);
  EXPECT_GT(total.fills, 10'000U);
  EXPECT_GT(total.replaced, 1'000U);
}

}  // namespace
}  // namespace affix::tools::trade
