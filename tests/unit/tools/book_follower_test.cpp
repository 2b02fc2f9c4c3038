// SPDX-License-Identifier: MIT
// A book rebuilt from market data, and every fault of market data.
#include "trade/market_data/book_follower.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::trade {
namespace {

using base::Decimal;

BookEntry level(UpdateAction action, EntryType type, std::int64_t price, std::int64_t quantity,
                std::int64_t position) {
  BookEntry entry;
  entry.action = action;
  entry.type = type;
  entry.symbol = "IBM";
  entry.price = {price, 0};
  entry.quantity = Decimal{quantity, 0};
  entry.order_count = 1;
  entry.position = position;
  return entry;
}

BookEntry bid(std::int64_t price, std::int64_t position) {
  return level(UpdateAction::New, EntryType::Bid, price, 1, position);
}

BookEntry offer(std::int64_t price, std::int64_t position) {
  return level(UpdateAction::New, EntryType::Offer, price, 1, position);
}

BookEntry deleted(BookEntry entry) {
  entry.action = UpdateAction::Delete;
  entry.quantity.reset();
  entry.order_count.reset();
  entry.position.reset();
  return entry;
}

class Follower : public ::testing::Test {
 protected:
  Follower() { id_ = follower.begin().request_id; }

  BookFault snapshot(std::vector<BookEntry> entries) {
    return follower.take({true, id_, "IBM", std::move(entries)});
  }

  BookFault increments(std::vector<BookEntry> entries) {
    return follower.take({false, id_, {}, std::move(entries)});
  }

  [[nodiscard]] const MarketBook& book() const { return follower.books().front().book; }

  BookFollower follower{"RUN-MD", {"IBM", "MSFT"}, 3};
  std::string id_;
};

TEST_F(Follower, RebuildsABook) {
  ASSERT_EQ(snapshot({bid(10, 1), bid(9, 2), offer(12, 1)}), BookFault::None);
  BookEntry changed = level(UpdateAction::Change, EntryType::Bid, 10, 7, 2);
  ASSERT_EQ(increments({deleted(bid(9, 2)), bid(11, 1), changed, offer(13, 2)}), BookFault::None);
  ASSERT_EQ(book().bids().size(), 2U);
  EXPECT_EQ(book().bids()[0].price, (Decimal{11, 0}));
  EXPECT_EQ(book().bids()[1].quantity, (Decimal{7, 0}));
  EXPECT_EQ(book().offers()[1].price, (Decimal{13, 0}));
  BookEntry trade = level(UpdateAction::New, EntryType::Trade, 11, 5, 0);
  trade.position.reset();
  ASSERT_EQ(increments({trade}), BookFault::None);
  EXPECT_EQ(book().last_trade()->price, (Decimal{11, 0}));
  EXPECT_EQ(follower.counters().snapshots, 1U);
  EXPECT_EQ(follower.counters().increments, 2U);
  EXPECT_EQ(follower.counters().entries, 8U);
  EXPECT_EQ(follower.counters().trades, 1U);
  EXPECT_EQ(follower.counters().faulty(), 0U);
}

TEST_F(Follower, ASnapshotReplacesTheBook) {
  ASSERT_EQ(snapshot({bid(10, 1)}), BookFault::None);
  ASSERT_EQ(snapshot({}), BookFault::None);
  EXPECT_TRUE(book().bids().empty());
  ASSERT_EQ(increments({bid(10, 1)}), BookFault::None);
}

TEST_F(Follower, ReportsEveryFault) {
  EXPECT_EQ(increments({bid(10, 1)}), BookFault::NoSnapshot);
  ASSERT_EQ(snapshot({bid(10, 1), offer(12, 1)}), BookFault::None);
  EXPECT_EQ(increments({bid(10, 1)}), BookFault::LevelExists);
  EXPECT_EQ(increments({deleted(bid(11, 1))}), BookFault::UnknownLevel);
  EXPECT_EQ(increments({level(UpdateAction::Change, EntryType::Offer, 13, 1, 1)}),
            BookFault::UnknownLevel);
  EXPECT_EQ(increments({level(UpdateAction::New, EntryType::Bid, 9, 0, 2)}), BookFault::EmptyLevel);
  EXPECT_EQ(snapshot({bid(10, 2)}), BookFault::WrongPosition);
  EXPECT_EQ(snapshot({bid(10, 0)}), BookFault::WrongPosition);
  EXPECT_EQ(snapshot({bid(10, 1), bid(9, 2), bid(8, 3), bid(7, 4)}), BookFault::TooManyLevels);
  EXPECT_EQ(snapshot({bid(10, 1), offer(10, 1)}), BookFault::Crossed);
  EXPECT_EQ(follower.take({true, id_, "ACME", {}}), BookFault::UnknownSymbol);
  EXPECT_EQ(follower.take({true, "OTHER", "IBM", {}}), BookFault::UnknownRequest);
  follower.count_unreadable();
  EXPECT_EQ(follower.counters().faulty(), 12U);
}

TEST_F(Follower, AMessageIsJudgedAsAWhole) {
  ASSERT_EQ(snapshot({bid(10, 1), offer(11, 1)}), BookFault::None);
  // The book is crossed within the message, but not after it.
  EXPECT_EQ(increments({bid(12, 1), deleted(offer(11, 1)), offer(13, 1)}), BookFault::None);
}

TEST_F(Follower, DataOfAnEarlierLogonIsNoFault) {
  const std::string before = id_;
  id_ = follower.begin().request_id;
  EXPECT_NE(id_, before);
  EXPECT_EQ(follower.take({false, before, {}, {bid(10, 1)}}), BookFault::None);
  EXPECT_EQ(follower.counters().stale, 1U);
  EXPECT_EQ(increments({bid(10, 1)}), BookFault::NoSnapshot);
}

}  // namespace
}  // namespace affix::tools::trade
