// SPDX-License-Identifier: MIT
// Subscriptions, their refusals, and the messages of each turn.
#include "market_data_case.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::exchange {
namespace {

using base::Decimal;
using enum MarketDataRefusal;

class Publisher : public ::testing::Test {
 protected:
  /// The reason for a refused request.
  MarketDataRefusal refused(const MarketDataRequest& request) {
    const auto result = exchange.publisher.request(request);
    return result ? result->reason : None;
  }

  MarketDataCase exchange;
};

/// "-O11 +B10x3/1#1": action, side, price, quantity, orders and position.
std::string line_of(const ToldNews& news) {
  std::string line = news.snapshot ? "W" : "X";
  for (const MarketDataEntry& entry : news.entries) {
    const bool deletes = entry.action == UpdateAction::Delete;
    line += news.snapshot ? " " : deletes ? " -" : entry.action == UpdateAction::New ? " +" : " =";
    line += entry.type == EntryType::Bid ? "B" : entry.type == EntryType::Offer ? "O" : "T";
    line += std::to_string(entry.price.mantissa_at(0).value_or(-1));
    if (!deletes) {
      line += "x" + std::to_string(entry.quantity.mantissa_at(0).value_or(-1));
    }
    if (!deletes && entry.type != EntryType::Trade) {
      line += "/" + std::to_string(entry.order_count) + "#" + std::to_string(entry.position);
    }
  }
  return line;
}

std::vector<std::string> lines_of(const std::vector<ToldNews>& reported) {
  std::vector<std::string> lines;
  for (const ToldNews& news : reported) {
    lines.push_back(line_of(news));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_F(Publisher, RefusesUnsupportedRequests) {
  const auto refused_with = [this](auto change) {
    MarketDataRequest request = subscription("M");
    change(request);
    return refused(request);
  };
  EXPECT_EQ(refused_with([](auto& request) { request.symbols = {"IBM", "ACME"}; }), UnknownSymbol);
  EXPECT_EQ(refused_with([](auto& request) { request.depth = -1; }), UnsupportedDepth);
  EXPECT_EQ(refused_with([](auto& request) { request.depth = 151; }), UnsupportedDepth);
  EXPECT_EQ(refused_with([](auto& request) { request.update_type.reset(); }), MissingUpdateType);
  EXPECT_EQ(refused_with([](auto& request) { request.update_type = UpdateType{'2'}; }),
            UnsupportedUpdateType);
  EXPECT_EQ(refused_with([](auto& request) { request.aggregated = false; }),
            UnsupportedAggregation);
  EXPECT_EQ(refused_with([](auto& request) { request.entry_types.push_back(EntryType{'4'}); }),
            UnsupportedEntryType);
  EXPECT_EQ(refused_with([](auto& request) { request.entry_types = {EntryType::EmptyBook}; }),
            UnsupportedEntryType);
  EXPECT_EQ(refused_with([](auto& request) { request.type = SubscriptionType{'3'}; }),
            UnsupportedSubscriptionType);
  EXPECT_EQ(refused_with([](auto& request) { request.type = SubscriptionType::Unsubscribe; }),
            UnknownRequestId);
  const std::string long_id(129, 'M');
  EXPECT_EQ(refused_with([&](auto& request) { request.id = long_id; }), RequestIdTooLong);
  EXPECT_EQ(refused_with([](auto& request) { request.symbols.assign(257, "IBM"); }),
            TooManySymbols);
  EXPECT_EQ(exchange.publisher.counters().refused, 12U);
  EXPECT_EQ(exchange.publisher.subscription_count(1), 0U);
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, NamesTheUnknownSymbol) {
  MarketDataRequest request = subscription("M");
  request.symbols = {"IBM", "ACME"};
  EXPECT_EQ(exchange.publisher.request(request)->symbol, "ACME");
}

TEST_F(Publisher, AnIdIsTakenUntilItsSubscriptionEnds) {
  EXPECT_EQ(refused(subscription("M")), None);
  EXPECT_EQ(refused(subscription("M")), DuplicateRequestId);
  EXPECT_EQ(refused(subscription("M", 2)), None) << "ids are a member's own";
  MarketDataRequest end = subscription("M");
  end.type = SubscriptionType::Unsubscribe;
  EXPECT_EQ(refused(end), None);
  EXPECT_EQ(refused(end), UnknownRequestId);
  EXPECT_EQ(refused(subscription("M")), None);
}

TEST(PublisherLimits, SubscriptionsOfAMemberAreBounded) {
  MarketDataCase exchange(MarketDataLimits{.subscriptions_max = 2});
  EXPECT_FALSE(exchange.publisher.request(subscription("A")));
  EXPECT_FALSE(exchange.publisher.request(subscription("B")));
  EXPECT_EQ(exchange.publisher.request(subscription("C"))->reason, TooManySubscriptions);
  EXPECT_FALSE(exchange.publisher.request(subscription("C", 2)));
}

TEST_F(Publisher, ASnapshotComesOnceAndIsAllThatWasAskedFor) {
  exchange.limit(Side::Buy, 10, 3);
  exchange.limit(Side::Buy, 10, 4);
  exchange.limit(Side::Buy, 9, 1);
  exchange.limit(Side::Sell, 12, 5);
  exchange.limit(Side::Sell, 10, 2);
  MarketDataRequest request = subscription("M");
  request.type = SubscriptionType::Snapshot;
  request.update_type.reset();
  ASSERT_EQ(refused(request), None);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"W B10x5/2#1 B9x1/1#2 O12x5/1#1 T10x2"});
  exchange.limit(Side::Buy, 8, 1);
  EXPECT_TRUE(exchange.publish().empty());
  EXPECT_EQ(exchange.publisher.subscription_count(1), 0U);
}

TEST_F(Publisher, OnlyWantedEntriesAndLevelsAreReported) {
  MarketDataRequest top = subscription("TOP");
  top.depth = 1;
  top.entry_types = {EntryType::Bid};
  MarketDataRequest trades = subscription("TRADES");
  trades.entry_types = {EntryType::Trade};
  ASSERT_EQ(refused(top), None);
  ASSERT_EQ(refused(trades), None);
  EXPECT_EQ(lines_of(exchange.publish()), (Lines{"W", "W"}));
  exchange.limit(Side::Buy, 10, 1);
  exchange.limit(Side::Buy, 9, 1);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"X +B10x1/1#1"});
  exchange.limit(Side::Sell, 10, 1);
  EXPECT_EQ(lines_of(exchange.publish()), (Lines{"X -B10 +B9x1/1#1", "X +T10x1"}));
  exchange.limit(Side::Sell, 20, 1);
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, IncrementsSayTradesThenDeletionsThenTheRest) {
  exchange.limit(Side::Sell, 11, 5);
  exchange.limit(Side::Sell, 12, 5);
  ASSERT_EQ(refused(subscription("M")), None);
  exchange.publish();
  exchange.limit(Side::Buy, 12, 7);
  exchange.limit(Side::Buy, 10, 1);
  exchange.limit(Side::Buy, 10, 1);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"X +T11x5 +T12x2 -O11 +B10x2/2#1 =O12x3/1#1"});
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, ChangesUndoneWithinATurnAreNotReported) {
  ASSERT_EQ(refused(subscription("M")), None);
  exchange.publish();
  exchange.limit(Side::Buy, 10, 1);
  exchange.matching.owner_gone(7);
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, AFullRefreshComesWithEveryChange) {
  MarketDataRequest request = subscription("M");
  request.update_type = UpdateType::FullRefresh;
  ASSERT_EQ(refused(request), None);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"W"});
  exchange.limit(Side::Buy, 10, 1);
  exchange.limit(Side::Buy, 9, 1);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"W B10x1/1#1 B9x1/1#2"});
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, EachSymbolHasMessagesOfItsOwn) {
  MarketDataRequest request = subscription("M");
  request.symbols = {"IBM", "MSFT", "IBM"};
  ASSERT_EQ(refused(request), None);
  EXPECT_EQ(exchange.publish().size(), 2U) << "a symbol named twice is told once";
  exchange.limit(Side::Buy, 10, 1, "MSFT");
  const auto reported = exchange.publish();
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].symbol, "MSFT");
}

TEST_F(Publisher, AMemberThatTakesNothingGetsTheDifferenceWhenItHasRoom) {
  ASSERT_EQ(refused(subscription("SLOW", 1)), None);
  ASSERT_EQ(refused(subscription("QUICK", 2)), None);
  exchange.publish();
  int refusals = 0;
  exchange.answer = [&](const MarketDataNews& news) {
    refusals += news.owner == 1;
    return news.owner == 1 ? SendOutcome::NoRoom : SendOutcome::Sent;
  };
  for (int turn = 0; turn < 3; ++turn) {
    exchange.limit(Side::Buy, 10 + turn, 1);
    EXPECT_EQ(exchange.publish().size(), 1U);
  }
  EXPECT_EQ(refusals, 1) << "it is not tried again before there is room";
  exchange.answer = nullptr;
  exchange.publisher.room(1);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"X +B12x1/1#1 +B11x1/1#2 +B10x1/1#3"});
  EXPECT_TRUE(exchange.publish().empty());
}

TEST_F(Publisher, ASnapshotWaitsForRoomToo) {
  exchange.answer = [](const MarketDataNews&) { return SendOutcome::NoRoom; };
  MarketDataRequest request = subscription("M");
  request.type = SubscriptionType::Snapshot;
  ASSERT_EQ(refused(request), None);
  EXPECT_TRUE(exchange.publish().empty());
  EXPECT_EQ(exchange.publisher.subscription_count(1), 1U);
  exchange.answer = nullptr;
  exchange.publisher.room(1);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"W"});
  EXPECT_EQ(exchange.publisher.subscription_count(1), 0U);
}

TEST(PublisherLimits, ManyIncrementsAreSeveralMessages) {
  MarketDataCase exchange(MarketDataLimits{.entries_per_message_max = 2});
  ASSERT_FALSE(exchange.publisher.request(subscription("M")));
  exchange.publish();
  for (int price = 1; price <= 5; ++price) {
    exchange.limit(Side::Buy, price, 1);
  }
  EXPECT_EQ(lines_of(exchange.publish()),
            (Lines{"X +B5x1/1#1 +B4x1/1#2", "X +B3x1/1#3 +B2x1/1#4", "X +B1x1/1#5"}));
}

TEST(PublisherLimits, AfterSomeOfSeveralMessagesTheRestIsTheDifference) {
  MarketDataCase exchange(MarketDataLimits{.entries_per_message_max = 2});
  ASSERT_FALSE(exchange.publisher.request(subscription("M")));
  exchange.publish();
  exchange.limit(Side::Buy, 3, 1);
  exchange.limit(Side::Sell, 3, 1);
  exchange.limit(Side::Buy, 5, 1);
  exchange.limit(Side::Buy, 4, 1);
  int messages = 0;
  exchange.answer = [&](const MarketDataNews&) {
    return ++messages == 1 ? SendOutcome::Sent : SendOutcome::NoRoom;
  };
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"X +T3x1 +B5x1/1#1"});
  exchange.answer = nullptr;
  exchange.limit(Side::Buy, 6, 1);
  exchange.publisher.room(1);
  EXPECT_EQ(lines_of(exchange.publish()), (Lines{"X +B6x1/1#1 +B4x1/1#3"}));
}

TEST(PublisherLimits, TradesTooLongAgoAreSkippedAndCounted) {
  MarketDataCase exchange(MarketDataLimits{.trades_kept = 3});
  ASSERT_FALSE(exchange.publisher.request(subscription("M")));
  exchange.publish();
  for (int price = 1; price <= 5; ++price) {
    exchange.limit(Side::Buy, price, 1);
    exchange.limit(Side::Sell, price, 1);
  }
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"X +T3x1 +T4x1 +T5x1"});
  EXPECT_EQ(exchange.publisher.counters().trades_skipped, 2U);
}

TEST_F(Publisher, ABookThatTheMemberCannotTakeEndsTheSubscription) {
  ASSERT_EQ(refused(subscription("M")), None);
  ASSERT_EQ(refused(subscription("OTHER")), None);
  exchange.answer = [](const MarketDataNews& news) {
    return news.request_id == "M" ? SendOutcome::TooLarge : SendOutcome::Sent;
  };
  EXPECT_EQ(exchange.publish().size(), 1U);
  ASSERT_EQ(exchange.ended.size(), 1U);
  EXPECT_EQ(exchange.ended[0].request_id, "M");
  EXPECT_EQ(exchange.ended[0].why, BookTooLarge);
  EXPECT_EQ(exchange.publisher.subscription_count(1), 1U);
  exchange.limit(Side::Buy, 10, 1);
  EXPECT_EQ(exchange.publish().size(), 1U);
  EXPECT_EQ(exchange.ended.size(), 1U);
}

TEST_F(Publisher, AMemberThatHasLeftReceivesNothing) {
  ASSERT_EQ(refused(subscription("M")), None);
  ASSERT_EQ(refused(subscription("N")), None);
  exchange.publish();
  exchange.limit(Side::Buy, 10, 1);
  exchange.publisher.end_all(1);
  EXPECT_TRUE(exchange.publish().empty());
  EXPECT_EQ(exchange.publisher.subscription_count(1), 0U);
  // After its return it begins with a snapshot, also if it had been slow.
  ASSERT_EQ(refused(subscription("M")), None);
  EXPECT_EQ(lines_of(exchange.publish()), Lines{"W B10x1/1#1"});
}

TEST_F(Publisher, TradesHaveIdAndTime) {
  exchange.now = {5, 0};
  exchange.limit(Side::Buy, 10, 1);
  exchange.limit(Side::Sell, 10, 1);
  ASSERT_EQ(refused(subscription("M")), None);
  const auto reported = exchange.publish();
  ASSERT_EQ(reported.at(0).entries.size(), 1U);
  EXPECT_EQ(reported[0].entries[0].match_id, 1U);
  EXPECT_EQ(reported[0].entries[0].time, (base::UtcTime{5, 0}));
}

}  // namespace
}  // namespace affix::tools::exchange
