// SPDX-License-Identifier: MIT
// The exchange's commands one by one: acceptance, refusals with reasons, and every report in order.
#include "exchange/book/matching_engine.hpp"

#include "recorded_events.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace affix::tools::exchange {
namespace {

using base::Decimal;
using Lines = std::vector<std::string>;

struct Exchange {
  explicit Exchange(EngineLimits limits = {.cl_ord_ids_max = 1000}) : engine(limits, events) {
    const auto added = engine.add_instrument({.symbol = "ACME",
                                              .tick = {5, -2},
                                              .lot = {10, 0},
                                              .price_min = {5, -2},
                                              .price_max = {1000, 0},
                                              .quantity_max = {100'000, 0}});
    EXPECT_TRUE(added.has_value());
  }

  Lines submit(NewOrder order) {
    engine.submit(order);
    return events.take();
  }

  Lines limit(OwnerId owner, std::string_view name, Side side, std::int64_t quantity,
              std::int64_t price, TimeInForce life = TimeInForce::Day) {
    return submit({owner, name, "ACME", side, OrderType::Limit, life, Decimal{quantity, 0},
                   Decimal{price, 0}});
  }

  Lines market(OwnerId owner, std::string_view name, Side side, std::int64_t quantity,
               TimeInForce life = TimeInForce::Day) {
    return submit(
        {owner, name, "ACME", side, OrderType::Market, life, Decimal{quantity, 0}, std::nullopt});
  }

  Lines cancel(OwnerId owner, std::string_view name, std::string_view original, Side side,
               std::optional<OrderId> order_id = std::nullopt) {
    engine.cancel({owner, name, original, order_id, "ACME", side});
    return events.take();
  }

  Lines replace(OwnerId owner, std::string_view name, std::string_view original, Side side,
                std::int64_t quantity, std::int64_t price) {
    engine.replace({owner, name, original, std::nullopt, "ACME", side, OrderType::Limit,
                    std::nullopt, Decimal{quantity, 0}, Decimal{price, 0}});
    return events.take();
  }

  RecordedEvents events;
  MatchingEngine engine;
};

TEST(MatchingEngine, LimitOrderRestsUntilSomebodyTrades) {
  Exchange exchange;
  EXPECT_EQ(exchange.limit(1, "A", Side::Buy, 100, 10), Lines{"new 1/A New leaves 100 filled 0"});
  EXPECT_EQ(exchange.limit(2, "B", Side::Sell, 40, 9),
            (Lines{"new 2/B New leaves 40 filled 0",
                   "trade 1/A PartiallyFilled last 40@10 leaves 60 filled 40",
                   "trade 2/B Filled last 40@10 leaves 0 filled 40"}));
  EXPECT_EQ(exchange.engine.open_orders(), 1U);
  ASSERT_EQ(exchange.events.trades.size(), 1U);
  EXPECT_EQ(exchange.events.trades[0].aggressor, Side::Sell);
  EXPECT_EQ(exchange.events.trades[0].price, (Decimal{10, 0}));
}

TEST(MatchingEngine, BetterPriceTradesFirstAndAtOnePriceTheOlderOrder) {
  Exchange exchange;
  exchange.limit(1, "old", Side::Sell, 10, 11);
  exchange.limit(1, "young", Side::Sell, 10, 11);
  exchange.limit(1, "cheap", Side::SellShort, 10, 10);
  EXPECT_EQ(
      exchange.limit(2, "B", Side::Buy, 30, 12),
      (Lines{"new 2/B New leaves 30 filled 0", "trade 1/cheap Filled last 10@10 leaves 0 filled 10",
             "trade 2/B PartiallyFilled last 10@10 leaves 20 filled 10",
             "trade 1/old Filled last 10@11 leaves 0 filled 10",
             "trade 2/B PartiallyFilled last 10@11 leaves 10 filled 20",
             "trade 1/young Filled last 10@11 leaves 0 filled 10",
             "trade 2/B Filled last 10@11 leaves 0 filled 30"}));
}

TEST(MatchingEngine, MarketOrderTakesTheBookAndTheRestIsCanceled) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Sell, 10, 10);
  EXPECT_EQ(
      exchange.market(2, "M", Side::Buy, 30),
      (Lines{"new 2/M New leaves 30 filled 0", "trade 1/A Filled last 10@10 leaves 0 filled 10",
             "trade 2/M PartiallyFilled last 10@10 leaves 20 filled 10",
             "canceled 2/M Canceled leaves 0 filled 10 because: Nothing more to trade with at an "
             "acceptable price"}));
  EXPECT_EQ(exchange.engine.open_orders(), 0U);
}

TEST(MatchingEngine, ImmediateOrCancelNeverRests) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Sell, 10, 11);
  EXPECT_EQ(
      exchange.limit(2, "I", Side::Buy, 10, 10, TimeInForce::ImmediateOrCancel),
      (Lines{"new 2/I New leaves 10 filled 0",
             "canceled 2/I Canceled leaves 0 filled 0 because: Nothing more to trade with at an "
             "acceptable price"}));
}

TEST(MatchingEngine, FillOrKillTradesWholeOrNotAtAll) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Sell, 10, 10);
  exchange.limit(1, "B", Side::Sell, 10, 11);
  exchange.limit(1, "C", Side::Sell, 10, 12);
  EXPECT_EQ(
      exchange.limit(2, "K", Side::Buy, 30, 11, TimeInForce::FillOrKill),
      (Lines{"new 2/K New leaves 30 filled 0",
             "canceled 2/K Canceled leaves 0 filled 0 because: The whole quantity cannot be filled "
             "at once"}));
  EXPECT_EQ(exchange.limit(2, "L", Side::Buy, 20, 11, TimeInForce::FillOrKill).back(),
            "trade 2/L Filled last 10@11 leaves 0 filled 20");
  EXPECT_EQ(exchange.market(2, "N", Side::Buy, 20, TimeInForce::FillOrKill).size(), 2U);
  EXPECT_EQ(exchange.market(2, "O", Side::Buy, 10, TimeInForce::FillOrKill).back(),
            "trade 2/O Filled last 10@12 leaves 0 filled 10");
}

TEST(MatchingEngine, CancelTakesTheOrderOutAndItsNameIsSpent) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  EXPECT_EQ(exchange.cancel(1, "C", "A", Side::Buy),
            Lines{"canceled 1/C was A Canceled leaves 0 filled 0"});
  EXPECT_EQ(exchange.engine.open_orders(), 0U);
  EXPECT_EQ(
      exchange.cancel(1, "D", "A", Side::Buy),
      Lines{"cancel-reject 1/D of A Canceled because: The order is filled, canceled or expired"});
  EXPECT_EQ(cxl_rej_reason(exchange.events.last_reject.reason, FixVocabulary::Fix44), 0);
  EXPECT_EQ(exchange.limit(1, "C", Side::Buy, 10, 10),
            Lines{"rejected 1/C Rejected leaves 0 filled 0 because: ClOrdID was used before"});
  EXPECT_EQ(exchange.cancel(1, "C", "A", Side::Buy),
            Lines{"cancel-reject 1/C of A Rejected because: ClOrdID was used before"});
}

TEST(MatchingEngine, CancelOfSomebodyElsesOrderSaysNothingAboutIt) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  const OrderId id = exchange.events.last.order_id;
  EXPECT_EQ(exchange.cancel(2, "C", "A", Side::Buy),
            Lines{"cancel-reject 2/C of A Rejected because: No such order"});
  EXPECT_EQ(exchange.cancel(2, "C", "", Side::Buy, id),
            Lines{"cancel-reject 2/C of  Rejected because: The order belongs to another session"});
  EXPECT_EQ(exchange.events.last_reject.order_id, 0U);
  EXPECT_EQ(exchange.cancel(1, "C", "", Side::Buy, id + 1),
            Lines{"cancel-reject 1/C of  Rejected because: No such order"});
  EXPECT_EQ(exchange.cancel(1, "C", "", Side::Buy, id),
            Lines{"canceled 1/C was A Canceled leaves 0 filled 0"});
}

TEST(MatchingEngine, CancelMustAgreeWithTheOrder) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.limit(1, "B", Side::Buy, 100, 10);
  const OrderId id_of_b = exchange.events.last.order_id;
  const Lines mismatch = {
      "cancel-reject 1/C of A New because: Symbol, Side or OrderID is not that of the order"};
  EXPECT_EQ(exchange.cancel(1, "C", "A", Side::Sell), mismatch);
  exchange.engine.cancel({1, "C", "A", std::nullopt, "OTHER", Side::Buy});
  EXPECT_EQ(exchange.events.take(), mismatch);
  EXPECT_EQ(
      exchange.cancel(1, "C", "A", Side::Buy, id_of_b),
      Lines{"cancel-reject 1/C of A Rejected because: Symbol, Side or OrderID is not that of the "
            "order"});
}

TEST(MatchingEngine, ReplaceDownAtTheSamePriceKeepsThePlaceInTheQueue) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.limit(2, "B", Side::Buy, 100, 10);
  EXPECT_EQ(exchange.replace(1, "A2", "A", Side::Buy, 50, 10),
            Lines{"replaced 1/A2 was A New leaves 50 filled 0"});
  EXPECT_EQ(exchange.limit(3, "S", Side::Sell, 60, 10)[1],
            "trade 1/A2 Filled last 50@10 leaves 0 filled 50");
}

TEST(MatchingEngine, ReplaceUpOrToAnotherPriceGoesToTheEndOfTheQueue) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.limit(2, "B", Side::Buy, 100, 10);
  exchange.replace(1, "A2", "A", Side::Buy, 110, 10);
  EXPECT_EQ(exchange.limit(3, "S", Side::Sell, 10, 10)[1],
            "trade 2/B PartiallyFilled last 10@10 leaves 90 filled 10");
  exchange.replace(2, "B2", "B", Side::Buy, 100, 9);
  exchange.replace(2, "B3", "B2", Side::Buy, 100, 10);
  EXPECT_EQ(exchange.limit(3, "T", Side::Sell, 10, 10)[1],
            "trade 1/A2 PartiallyFilled last 10@10 leaves 100 filled 10");
}

TEST(MatchingEngine, ReplaceToAPriceThatMatchesTradesAtOnce) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.limit(2, "S", Side::Sell, 40, 12);
  EXPECT_EQ(exchange.replace(1, "A2", "A", Side::Buy, 100, 12),
            (Lines{"replaced 1/A2 was A New leaves 100 filled 0",
                   "trade 2/S Filled last 40@12 leaves 0 filled 40",
                   "trade 1/A2 PartiallyFilled last 40@12 leaves 60 filled 40"}));
}

TEST(MatchingEngine, ReplaceToTheFilledQuantityCompletesTheOrderAndBelowIsRefused) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.limit(2, "S", Side::Sell, 40, 10);
  EXPECT_EQ(exchange.replace(1, "A2", "A", Side::Buy, 30, 10),
            Lines{"replace-reject 1/A2 of A PartiallyFilled because: OrderQty is below the "
                  "quantity already "
                  "filled"});
  EXPECT_EQ(exchange.replace(1, "A2", "A", Side::Buy, 40, 10),
            Lines{"replaced 1/A2 was A Filled leaves 0 filled 40"});
  EXPECT_EQ(exchange.engine.open_orders(), 0U);
  std::array<BookLevel, 1> levels;
  EXPECT_EQ(exchange.engine.best_levels(0, Side::Buy, levels), 0U);
}

TEST(MatchingEngine, ReplaceIsRefusedWithoutAnyChange) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  exchange.replace(1, "A2", "A", Side::Buy, 90, 10);
  EXPECT_EQ(
      exchange.replace(1, "A3", "A", Side::Buy, 80, 10),
      Lines{"replace-reject 1/A3 of A New because: OrigClOrdID was replaced by a later ClOrdID"});
  EXPECT_EQ(exchange.replace(1, "A2", "A2", Side::Buy, 80, 10),
            Lines{"replace-reject 1/A2 of A2 Rejected because: ClOrdID was used before"});
  EXPECT_EQ(exchange.replace(1, "A3", "A2", Side::Buy, 85, 10),
            Lines{"replace-reject 1/A3 of A2 New because: OrderQty is not a multiple of the lot"});
  ReplaceOrder odd{1,
                   "A3",
                   "A2",
                   std::nullopt,
                   "",
                   Side::Buy,
                   OrderType::Market,
                   std::nullopt,
                   Decimal{80, 0},
                   std::nullopt};
  const Lines immutable = {
      "replace-reject 1/A3 of A2 New because: Only OrderQty and Price of a limit order can be "
      "replaced"};
  exchange.engine.replace(odd);
  EXPECT_EQ(exchange.events.take(), immutable);
  odd.type = OrderType::Limit;
  odd.price = Decimal{10, 0};
  odd.time_in_force = TimeInForce::GoodTillCancel;
  exchange.engine.replace(odd);
  EXPECT_EQ(exchange.events.take(), immutable);
  EXPECT_EQ(exchange.replace(1, "A3", "A2", Side::Buy, 80, 10),
            Lines{"replaced 1/A3 was A2 New leaves 80 filled 0"});
}

TEST(MatchingEngine, EveryFaultOfANewOrderHasItsReason) {
  struct Case {
    NewOrder order;
    Reason reason;
    int fix44;
    int fix42;
  };

  const NewOrder good{1,
                      "A",
                      "ACME",
                      Side::Buy,
                      OrderType::Limit,
                      TimeInForce::Day,
                      Decimal{10, 0},
                      Decimal{1005, -2}};
  const std::string long_name(cl_ord_id_bytes_max + 1, 'x');
  std::vector<Case> cases;
  const auto add = [&](Reason reason, int fix44, int fix42, auto&& change) {
    cases.push_back({good, reason, fix44, fix42});
    change(cases.back().order);
  };
  add(Reason::MissingClOrdId, 99, 0, [](NewOrder& order) { order.cl_ord_id = ""; });
  add(Reason::ClOrdIdTooLong, 99, 0, [&](NewOrder& order) { order.cl_ord_id = long_name; });
  add(Reason::UnknownSymbol, 1, 1, [](NewOrder& order) { order.symbol = "ACM"; });
  add(Reason::UnsupportedSide, 11, 0, [](NewOrder& order) { order.side = static_cast<Side>('9'); });
  add(Reason::UnsupportedOrderType, 11, 0,
      [](NewOrder& order) { order.type = static_cast<OrderType>('3'); });
  add(Reason::UnsupportedTimeInForce, 11, 0,
      [](NewOrder& order) { order.time_in_force = static_cast<TimeInForce>('6'); });
  add(Reason::MissingQuantity, 13, 0, [](NewOrder& order) { order.quantity.reset(); });
  add(Reason::QuantityNotPositive, 13, 0, [](NewOrder& order) { order.quantity = Decimal{0, 0}; });
  add(Reason::QuantityNotPositive, 13, 0,
      [](NewOrder& order) { order.quantity = Decimal{-10, 0}; });
  add(Reason::QuantityOffLot, 13, 0, [](NewOrder& order) { order.quantity = Decimal{15, 0}; });
  add(Reason::QuantityOffLot, 13, 0, [](NewOrder& order) { order.quantity = Decimal{105, -1}; });
  add(Reason::QuantityTooLarge, 3, 3,
      [](NewOrder& order) { order.quantity = Decimal{100'010, 0}; });
  add(Reason::QuantityTooLarge, 3, 3, [](NewOrder& order) { order.quantity = Decimal{1, 30}; });
  add(Reason::MissingPrice, 11, 0, [](NewOrder& order) { order.price.reset(); });
  add(Reason::PriceOnMarketOrder, 11, 0, [](NewOrder& order) { order.type = OrderType::Market; });
  add(Reason::PriceOffTick, 99, 0, [](NewOrder& order) { order.price = Decimal{1001, -2}; });
  add(Reason::PriceOffTick, 99, 0, [](NewOrder& order) { order.price = Decimal{100'501, -4}; });
  add(Reason::PriceOutOfRange, 3, 3, [](NewOrder& order) { order.price = Decimal{100'005, -2}; });
  add(Reason::PriceOutOfRange, 3, 3, [](NewOrder& order) { order.price = Decimal{0, 0}; });
  add(Reason::PriceOutOfRange, 3, 3, [](NewOrder& order) { order.price = Decimal{-1005, -2}; });
  add(Reason::PriceOutOfRange, 3, 3,
      [](NewOrder& order) { order.price = Decimal{9, 2'000'000'000}; });
  Exchange exchange;
  for (const Case& bad : cases) {
    const Lines lines = exchange.submit(bad.order);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(exchange.events.last.type, ExecType::Rejected);
    EXPECT_EQ(exchange.events.last.reason, bad.reason) << lines[0];
    EXPECT_EQ(ord_rej_reason(bad.reason, FixVocabulary::Fix44), bad.fix44) << lines[0];
    EXPECT_EQ(ord_rej_reason(bad.reason, FixVocabulary::Fix42), bad.fix42) << lines[0];
  }
  EXPECT_EQ(exchange.engine.counters().rejected, cases.size());
  // Nothing of this is stored, not even the name.
  EXPECT_EQ(exchange.submit(good), Lines{"new 1/A New leaves 10 filled 0"});
  EXPECT_EQ(exchange.submit(good).front(),
            "rejected 1/A Rejected leaves 0 filled 0 because: ClOrdID was used before");
  EXPECT_EQ(ord_rej_reason(exchange.events.last.reason, FixVocabulary::Fix42), 6);
}

TEST(MatchingEngine, OwnersDoNotShareNames) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 10, 10);
  EXPECT_EQ(exchange.limit(2, "A", Side::Buy, 10, 10), Lines{"new 2/A New leaves 10 filled 0"});
}

TEST(MatchingEngine, StatusIsReportedByAnyNameOfTheOrder) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 100, 10);
  const OrderId id = exchange.events.last.order_id;
  exchange.replace(1, "A2", "A", Side::Buy, 90, 10);
  const auto status = [&](OwnerId owner, std::string_view name, std::optional<OrderId> order_id,
                          Side side) {
    exchange.engine.report_status({owner, name, order_id, "ACME", side});
    return exchange.events.take();
  };
  EXPECT_EQ(status(1, "A", std::nullopt, Side::Buy), Lines{"status 1/A2 New leaves 90 filled 0"});
  EXPECT_EQ(exchange.events.last.exec_id, 0U);
  EXPECT_EQ(status(1, "", id, Side::Buy), Lines{"status 1/A2 New leaves 90 filled 0"});
  EXPECT_EQ(status(2, "A", std::nullopt, Side::Buy),
            Lines{"status 2/A Rejected leaves 0 filled 0 because: No such order"});
  EXPECT_EQ(status(1, "A", std::nullopt, Side::Sell),
            Lines{"status 1/A Rejected leaves 0 filled 0 because: Symbol, Side or OrderID is not "
                  "that of the "
                  "order"});
  exchange.cancel(1, "C", "A2", Side::Buy);
  EXPECT_EQ(status(1, "C", std::nullopt, Side::Buy),
            Lines{"status 1/A2 Canceled leaves 0 filled 0"});
}

TEST(MatchingEngine, GoneOwnerLosesItsOpenOrdersOnly) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 10, 10);
  exchange.limit(2, "B", Side::Buy, 10, 10);
  exchange.limit(1, "C", Side::Sell, 10, 20);
  exchange.engine.owner_gone(1);
  EXPECT_EQ(exchange.events.take(),
            (Lines{"canceled 1/A Canceled leaves 0 filled 0 because: Canceled on disconnect",
                   "canceled 1/C Canceled leaves 0 filled 0 because: Canceled on disconnect"}));
  EXPECT_EQ(exchange.engine.open_orders(), 1U);
  exchange.engine.owner_gone(1);
  EXPECT_TRUE(exchange.events.take().empty());
}

TEST(MatchingEngine, EndOfDayLeavesGoodTillCancelOrders) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 10, 10);
  exchange.limit(1, "B", Side::Buy, 10, 10, TimeInForce::GoodTillCancel);
  exchange.engine.end_day();
  EXPECT_EQ(exchange.events.take(),
            Lines{"expired 1/A Expired leaves 0 filled 0 because: Expired at the end of the day"});
  EXPECT_EQ(exchange.limit(2, "S", Side::Sell, 10, 10)[1],
            "trade 1/B Filled last 10@10 leaves 0 filled 10");
}

TEST(MatchingEngine, BestLevelsAreSummedAndInOrder) {
  Exchange exchange;
  exchange.limit(1, "A", Side::Buy, 10, 10);
  exchange.limit(1, "B", Side::Buy, 20, 12);
  exchange.limit(1, "C", Side::Buy, 30, 12);
  exchange.limit(1, "D", Side::Buy, 40, 11);
  const std::uint64_t version = exchange.engine.book_version(0);
  std::array<BookLevel, 2> levels;
  ASSERT_EQ(exchange.engine.best_levels(0, Side::Buy, levels), 2U);
  EXPECT_EQ(levels[0].price, (Decimal{12, 0}));
  EXPECT_EQ(levels[0].quantity, (Decimal{50, 0}));
  EXPECT_EQ(levels[0].order_count, 2U);
  EXPECT_EQ(levels[1].price, (Decimal{11, 0}));
  EXPECT_EQ(exchange.engine.best_levels(0, Side::Sell, levels), 0U);
  exchange.limit(2, "S", Side::Sell, 10, 12);
  EXPECT_NE(exchange.engine.book_version(0), version);
}

TEST(MatchingEngine, FullOfOpenOrdersRefusesNewOnesButNotCancels) {
  Exchange exchange({.cl_ord_ids_max = 3});
  exchange.limit(1, "A", Side::Buy, 10, 10);
  exchange.limit(1, "B", Side::Buy, 10, 10);
  exchange.limit(1, "C", Side::Buy, 10, 10);
  EXPECT_EQ(
      exchange.limit(1, "D", Side::Buy, 10, 10),
      Lines{
          "rejected 1/D Rejected leaves 0 filled 0 because: The exchange holds as many open orders "
          "as it can"});
  EXPECT_EQ(exchange.replace(1, "C2", "C", Side::Buy, 20, 10),
            Lines{"replace-reject 1/C2 of C New because: The exchange holds as many open orders as "
                  "it can"});
  EXPECT_EQ(exchange.cancel(1, "X", "B", Side::Buy),
            Lines{"canceled 1/X was B Canceled leaves 0 filled 0"});
  EXPECT_EQ(exchange.limit(1, "D", Side::Buy, 10, 10), Lines{"new 1/D New leaves 10 filled 0"});
}

TEST(MatchingEngine, RemembersEndedOrdersUntilItNeedsTheRoom) {
  Exchange exchange({.cl_ord_ids_max = 4});
  for (int round = 0; round < 100; ++round) {
    const std::string name = "N" + std::to_string(round);
    const std::string cancel_name = "C" + std::to_string(round);
    ASSERT_EQ(exchange.limit(1, name, Side::Buy, 10, 10),
              Lines{"new 1/" + name + " New leaves 10 filled 0"});
    ASSERT_EQ(exchange.limit(1, name, Side::Buy, 10, 10).front().substr(0, 8), "rejected");
    ASSERT_EQ(exchange.cancel(1, cancel_name, name, Side::Buy).front().substr(0, 8), "canceled");
  }
  EXPECT_EQ(exchange.limit(1, "N0", Side::Buy, 10, 10), Lines{"new 1/N0 New leaves 10 filled 0"});
}

TEST(MatchingEngine, OneOrderReplacedForEverNeedsNoMoreRoom) {
  Exchange exchange({.cl_ord_ids_max = 4});
  exchange.limit(1, "N0", Side::Buy, 10, 10);
  for (int round = 1; round < 100; ++round) {
    const std::string name = "N" + std::to_string(round);
    const std::string original = "N" + std::to_string(round - 1);
    const std::int64_t price = 10 + round % 2;
    ASSERT_EQ(exchange.replace(1, name, original, Side::Buy, 10, price),
              Lines{"replaced 1/" + name + " was " + original + " New leaves 10 filled 0"});
  }
  EXPECT_EQ(exchange.engine.open_orders(), 1U);
}

TEST(MatchingEngine, TooManyPriceLevelsCancelTheRemainder) {
  Exchange exchange({.cl_ord_ids_max = 100, .price_levels_max = 2});
  exchange.limit(1, "A", Side::Buy, 10, 10);
  exchange.limit(1, "B", Side::Buy, 10, 11);
  EXPECT_EQ(exchange.limit(1, "C", Side::Buy, 10, 12).back(),
            "canceled 1/C Canceled leaves 0 filled 0 because: The book holds as many price levels "
            "as it can");
  EXPECT_EQ(exchange.limit(1, "D", Side::Buy, 10, 11).size(), 1U);
}

TEST(MatchingEngine, ExecIdsNeverRepeat) {
  Exchange exchange;
  for (int round = 0; round < 10; ++round) {
    exchange.limit(1, "A" + std::to_string(round), Side::Buy, 10, 10);
    exchange.limit(2, "B" + std::to_string(round), Side::Sell, 10, 10);
  }
  const std::set<std::uint64_t> distinct(exchange.events.exec_ids.begin(),
                                         exchange.events.exec_ids.end());
  EXPECT_EQ(distinct.size(), exchange.events.exec_ids.size());
  EXPECT_EQ(exchange.events.exec_ids.size(), 40U);
}

TEST(MatchingEngine, InstrumentsThatMakeNoSenseAreRefused) {
  Exchange exchange;
  EXPECT_EQ(exchange.engine.add_instrument({.symbol = "ACME"}).error().code,
            base::ErrorCode::AlreadyExists);
  const std::vector<Instrument> bad = {
      {.symbol = ""},
      {.symbol = "A\001B"},
      {.symbol = "X", .tick = {0, 0}},
      {.symbol = "X", .lot = {-1, 0}},
      {.symbol = "X", .tick = {1, -30}},
      {.symbol = "X", .tick = {1, -2}, .price_max = {1, 17}},
      {.symbol = "X", .price_min = {20, 0}, .price_max = {10, 0}},
      {.symbol = "X", .quantity_max = {0, 0}},
      {.symbol = "X", .quantity_max = {1, 18}},
  };
  for (const Instrument& instrument : bad) {
    const auto added = exchange.engine.add_instrument(instrument);
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().code, base::ErrorCode::InvalidArgument) << added.error().text();
  }
  EXPECT_EQ(exchange.engine.instrument_count(), 1U);
}

TEST(MatchingEngine, NegativePricesTradeLikeOthers) {
  Exchange exchange;
  ASSERT_TRUE(exchange.engine
                  .add_instrument({.symbol = "OIL", .price_min = {-100, 0}, .price_max = {100, 0}})
                  .has_value());
  exchange.submit({1, "A", "OIL", Side::Buy, OrderType::Limit, TimeInForce::Day, Decimal{1, 0},
                   Decimal{-3763, -2}});
  exchange.submit({2, "B", "OIL", Side::Sell, OrderType::Limit, TimeInForce::Day, Decimal{1, 0},
                   Decimal{-40, 0}});
  EXPECT_EQ(exchange.events.last.last_price, (Decimal{-3763, -2}));
  EXPECT_EQ(average_price(exchange.events.last.notional, exchange.events.last.filled),
            (Decimal{-3763, -2}));
}

TEST(AveragePrice, IsExactWhereItCanBeAndRoundedToEvenElsewhere) {
  EXPECT_EQ(average_price({0, -2}, {0, 0}), (Decimal{0, 0}));
  EXPECT_EQ(average_price({1000, -2}, {1, 0}), (Decimal{10, 0}));
  EXPECT_EQ(average_price({2001, -2}, {2, 0}), (Decimal{10005, -3}));
  // One third and two thirds of a cent, with four digits more than the price.
  EXPECT_EQ(average_price({1, -2}, {3, 0}), (Decimal{3333, -6}));
  EXPECT_EQ(average_price({2, -2}, {3, 0}), (Decimal{6667, -6}));
  // Halfway: to the even digit, whatever the sign.
  EXPECT_EQ(average_price({1, 0}, {32, 0}), (Decimal{312, -4}));
  EXPECT_EQ(average_price({3, 0}, {32, 0}), (Decimal{938, -4}));
  EXPECT_EQ(average_price({-1, 0}, {32, 0}), (Decimal{-312, -4}));
  // Quantities with digits of their own.
  EXPECT_EQ(average_price({1500, -4}, {150, -2}), (Decimal{1, -1}));
  // A notional far beyond 64 bits.
  const WideInteger price = 4'000'000'000'000'000'000;
  const std::int64_t quantity = 4'000'000'000'000'000'000;
  EXPECT_EQ(average_price({price * quantity, 0}, {quantity, 0}),
            (Decimal{4'000'000'000'000'000'000, 0}));
}

}  // namespace
}  // namespace affix::tools::exchange
