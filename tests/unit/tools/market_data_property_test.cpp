// SPDX-License-Identifier: MIT
// Random orders, random turns without publishing, members that sometimes take nothing, messages of
// every version: a member that applies the snapshot and the increments always has the exchange's
// book.
#include "affix/wire/index.hpp"

#include "dialect_case.hpp"
#include "exchange/messages/dialect.hpp"
#include "market_data_case.hpp"
#include "trade/market_data/book_follower.hpp"
#include "trade/messages/dialect.hpp"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace affix::tools::exchange {
namespace {

/// A member: the trade client's follower with messages of one version.
struct Subscriber {
  const char* begin_string = "FIX.4.4";
  std::int64_t depth = 0;
  std::unique_ptr<trade::BookFollower> books;
  std::vector<std::uint64_t> trades;  ///< Numbers of the trades it received.
  bool takes = true;
};

class World {
 public:
  explicit World(std::uint32_t seed) : random_(seed), exchange_(limits(seed), {"IBM", "MSFT"}) {
    exchange_.answer = [this](const MarketDataNews& news) { return take(news); };
    constexpr std::array<std::int64_t, 6> depths{0, 1, 2, 5, 0, 3};
    for (OwnerId owner = 0; owner < depths.size(); ++owner) {
      auto& member = subscribers_.emplace_back();
      member.begin_string = begin_strings[owner % begin_strings.size()];
      member.depth = depths[owner];
      member.books = std::make_unique<trade::BookFollower>(
          "MD", std::vector<std::string>{"IBM", "MSFT"}, member.depth);
      subscribe(owner);
    }
  }

  void turn() {
    for (int orders = below(4); orders > 0; --orders) {
      order();
    }
    for (OwnerId owner = 0; owner < subscribers_.size(); ++owner) {
      change_mind(owner);
    }
    if (below(3) != 0) {
      exchange_.publisher.publish();
      check(false);
    }
  }

  /// Gives all members room, so that all are up to date.
  void settle() {
    for (OwnerId owner = 0; owner < subscribers_.size(); ++owner) {
      subscribers_[owner].takes = true;
      exchange_.publisher.room(owner);
    }
    exchange_.publisher.publish();
    check(true);
  }

 private:
  static MarketDataLimits limits(std::uint32_t seed) {
    MarketDataLimits limits;
    limits.entries_per_message_max = 1 + seed % 7;
    limits.depth_max = 40;
    return limits;
  }

  int below(int bound) { return std::uniform_int_distribution(0, bound - 1)(random_); }

  void order() {
    const char* const symbol = below(3) == 0 ? "MSFT" : "IBM";
    if (below(12) == 0) {
      exchange_.matching.owner_gone(7);
    } else {
      exchange_.limit(below(2) == 0 ? Side::Buy : Side::Sell, 90 + below(20), 1 + below(9), symbol);
    }
  }

  void change_mind(OwnerId owner) {
    Subscriber& member = subscribers_[owner];
    if (below(5) == 0) {
      member.takes = !member.takes;
      if (member.takes) {
        exchange_.publisher.room(owner);
      }
    }
    if (below(60) == 0) {
      exchange_.publisher.end_all(owner);
      subscribe(owner);
    }
  }

  void subscribe(OwnerId owner) {
    MarketDataRequest request = subscription(subscribers_[owner].books->begin().request_id, owner);
    request.depth = subscribers_[owner].depth;
    request.symbols = {"IBM", "MSFT"};
    request.update_type = owner == 4 ? UpdateType::FullRefresh : UpdateType::Incremental;
    ASSERT_FALSE(exchange_.publisher.request(request));
  }

  SendOutcome take(const MarketDataNews& news) {
    Subscriber& member = subscribers_[news.owner];
    // Also within an update of several messages.
    if (!member.takes || below(20) == 0) {
      member.takes = false;
      return SendOutcome::NoRoom;
    }
    const WrittenMessage message(
        member.begin_string, msg_type_of(news), [&](const wire::Encoder& begun) {
          return dialect_of(member.begin_string).write(begun, news, {"RUN-", base::UtcTime{}});
        });
    trade::BookNews read;
    EXPECT_TRUE(trade::dialect_of(member.begin_string).read_market_data(message.view(), read));
    EXPECT_EQ(member.books->take(read), trade::BookFault::None) << message.text();
    return SendOutcome::Sent;
  }

  /// `all`: every subscriber must have the complete book; otherwise those that take everything.
  void check(bool all) {
    for (const Subscriber& member : subscribers_) {
      if (!member.takes && !all) {
        continue;
      }
      for (const trade::FollowedBook& followed : member.books->books()) {
        if (member.takes) {
          check_side(member, followed, Side::Buy, followed.book.bids());
          check_side(member, followed, Side::Sell, followed.book.offers());
        }
      }
    }
  }

  void check_side(const Subscriber& member, const trade::FollowedBook& followed, Side side,
                  const std::vector<trade::BookTerms>& known) {
    const InstrumentId instrument = *exchange_.matching.find_instrument(followed.symbol);
    std::vector<BookLevel> levels(static_cast<std::size_t>(member.depth == 0 ? 40 : member.depth));
    levels.resize(exchange_.matching.best_levels(instrument, side, levels));
    ASSERT_EQ(known.size(), levels.size());
    for (std::size_t at = 0; at < levels.size(); ++at) {
      ASSERT_EQ(known[at].price, levels[at].price);
      ASSERT_EQ(known[at].quantity, levels[at].quantity);
    }
  }

  std::mt19937 random_;
  MarketDataCase exchange_;
  std::vector<Subscriber> subscribers_;
};

TEST(MarketDataProperty, SnapshotAndIncrementsAreTheBookWhateverTurnsAreSkipped) {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    for (int turn = 0; turn < 150 && !::testing::Test::HasFatalFailure(); ++turn) {
      world.turn();
    }
    world.settle();
    if (::testing::Test::HasFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace affix::tools::exchange
