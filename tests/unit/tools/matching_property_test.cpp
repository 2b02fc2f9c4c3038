// SPDX-License-Identifier: MIT
// Random commands to the engine and to a slow and simple reference: the same reports in the same
// order, nothing lost, no crossed book, and the same result in a second run.
#include "exchange/book/matching_engine.hpp"
#include "recorded_events.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace affix::tools::exchange {
namespace {

using base::Decimal;

/// One market as a list of all orders ever sent. Examines every order for every query.
class ReferenceBook {
 public:
  struct Entry {
    OwnerId owner;
    std::string name;
    Side side;
    bool market;
    TimeInForce life;
    std::int64_t quantity;
    std::int64_t price;
    std::int64_t filled = 0;
    std::uint64_t arrival = 0;
    bool resting = false;
    OrderStatus status = OrderStatus::New;

    [[nodiscard]] bool buy() const { return side == Side::Buy; }
  };

  void submit(Entry entry) {
    if (names_.contains({entry.owner, entry.name})) {
      line("rejected", entry.owner, entry.name, "", OrderStatus::Rejected, 0, 0,
           Reason::DuplicateClOrdId);
      return;
    }
    orders_.push_back(entry);
    names_[{entry.owner, entry.name}] = orders_.size() - 1;
    report("new", orders_.back());
    work(orders_.back());
  }

  void cancel(OwnerId owner, const std::string& name, const std::string& original, Side side) {
    Entry* order = target("cancel", owner, name, original, side);
    if (order == nullptr) {
      return;
    }
    names_[{owner, name}] = static_cast<std::size_t>(order - &orders_[0]);
    order->resting = false;
    order->status = OrderStatus::Canceled;
    line("canceled", owner, name, original, order->status, 0, order->filled, Reason::None);
  }

  void replace(OwnerId owner, const std::string& name, const std::string& original, Side side,
               std::int64_t quantity, std::int64_t price) {
    Entry* order = target("replace", owner, name, original, side);
    if (order == nullptr) {
      return;
    }
    if (quantity < order->filled) {
      refuse("replace", owner, name, original, order->status, Reason::QuantityBelowFilled);
      return;
    }
    const bool keeps = price == order->price && quantity <= order->quantity;
    names_[{owner, name}] = static_cast<std::size_t>(order - &orders_[0]);
    order->name = name;
    order->quantity = quantity;
    order->price = price;
    if (quantity == order->filled) {
      order->status = OrderStatus::Filled;
      order->resting = false;
    }
    line("replaced", owner, name, original, order->status, open_quantity(*order), order->filled,
         Reason::None);
    if (order->resting && !keeps) {
      order->resting = false;
      work(*order);
    }
  }

  /// Price to quantity of one side.
  [[nodiscard]] std::map<std::int64_t, std::int64_t> levels(bool buy) const {
    std::map<std::int64_t, std::int64_t> result;
    for (const Entry& order : orders_) {
      if (order.resting && order.buy() == buy) {
        result[order.price] += order.quantity - order.filled;
      }
    }
    return result;
  }

  [[nodiscard]] const std::vector<Entry>& orders() const { return orders_; }

  std::vector<std::string> lines;

 private:
  static std::int64_t open_quantity(const Entry& order) {
    return is_open(order.status) ? order.quantity - order.filled : 0;
  }

  Entry* target(const char* what, OwnerId owner, const std::string& name,
                const std::string& original, Side side) {
    if (names_.contains({owner, name})) {
      refuse(what, owner, name, original, OrderStatus::Rejected, Reason::DuplicateClOrdId);
      return nullptr;
    }
    const auto found = names_.find({owner, original});
    if (found == names_.end()) {
      refuse(what, owner, name, original, OrderStatus::Rejected, Reason::UnknownOrder);
      return nullptr;
    }
    Entry& order = orders_[found->second];
    const Reason reason = order.side != side       ? Reason::OrderMismatch
                          : !is_open(order.status) ? Reason::TooLateToCancel
                          : order.name != original ? Reason::SupersededClOrdId
                                                   : Reason::None;
    if (reason != Reason::None) {
      refuse(what, owner, name, original, order.status, reason);
      return nullptr;
    }
    return &order;
  }

  [[nodiscard]] bool acceptable(const Entry& order, const Entry& other) const {
    return other.resting && other.buy() != order.buy() &&
           (order.market ||
            (order.buy() ? other.price <= order.price : other.price >= order.price));
  }

  Entry* best_for(const Entry& order) {
    Entry* best = nullptr;
    for (Entry& other : orders_) {
      if (!acceptable(order, other)) {
        continue;
      }
      const bool better = best == nullptr ||
                          (order.buy() ? other.price < best->price : other.price > best->price) ||
                          (other.price == best->price && other.arrival < best->arrival);
      if (better) {
        best = &other;
      }
    }
    return best;
  }

  void work(Entry& order) {
    if (order.life == TimeInForce::FillOrKill) {
      std::int64_t there = 0;
      for (const Entry& other : orders_) {
        there += acceptable(order, other) ? other.quantity - other.filled : 0;
      }
      if (there < order.quantity) {
        order.status = OrderStatus::Canceled;
        line("canceled", order.owner, order.name, "", order.status, 0, order.filled,
             Reason::NotFillableWhole);
        return;
      }
    }
    while (order.filled < order.quantity) {
      Entry* other = best_for(order);
      if (other == nullptr) {
        break;
      }
      const std::int64_t units =
          std::min(order.quantity - order.filled, other->quantity - other->filled);
      for (Entry* side : {other, &order}) {
        side->filled += units;
        side->status =
            side->filled == side->quantity ? OrderStatus::Filled : OrderStatus::PartiallyFilled;
        report("trade", *side, " last " + number({units, 0}) + "@" + number({other->price, -2}));
      }
      other->resting = other->filled < other->quantity;
    }
    if (order.filled == order.quantity) {
      return;
    }
    if (order.market || order.life == TimeInForce::ImmediateOrCancel) {
      order.status = OrderStatus::Canceled;
      line("canceled", order.owner, order.name, "", order.status, 0, order.filled,
           Reason::NothingToMatch);
      return;
    }
    order.resting = true;
    order.arrival = ++arrivals_;
  }

  void report(const char* what, const Entry& order, const std::string& fill = "") {
    line(what, order.owner, order.name, "", order.status, open_quantity(order), order.filled,
         Reason::None, fill);
  }

  void line(const char* what, OwnerId owner, const std::string& name, const std::string& original,
            OrderStatus status, std::int64_t leaves, std::int64_t filled, Reason reason,
            const std::string& fill = "") {
    std::ostringstream text;
    text << what << ' ' << owner << '/' << name << (original.empty() ? "" : " was ") << original
         << ' ' << to_text(status) << fill << " leaves " << number({leaves, 0}) << " filled "
         << number({filled, 0});
    if (reason != Reason::None) {
      text << " because: " << to_text(reason);
    }
    lines.push_back(text.str());
  }

  void refuse(const char* what, OwnerId owner, const std::string& name, const std::string& original,
              OrderStatus status, Reason reason) {
    std::ostringstream text;
    text << what << "-reject " << owner << '/' << name << " of " << original << ' '
         << to_text(status) << " because: " << to_text(reason);
    lines.push_back(text.str());
  }

  std::vector<Entry> orders_;
  std::map<std::pair<OwnerId, std::string>, std::size_t> names_;
  std::uint64_t arrivals_ = 0;
};

/// Sends the same random commands to both. Prices and names are few, so that orders match and names
/// collide.
class RandomTrading {
 public:
  explicit RandomTrading(std::uint32_t seed)
      : random_(seed), engine({.cl_ord_ids_max = 5000}, events) {
    EXPECT_TRUE(engine.add_instrument({.symbol = "ACME"}).has_value());
  }

  void step() {
    const auto owner = static_cast<OwnerId>(draw(3));
    const bool buy = draw(2) == 0;
    const Side side = buy ? Side::Buy : (draw(4) == 0 ? Side::SellShort : Side::Sell);
    const std::string name = "N" + std::to_string(draw(20) == 0 ? draw(count_ + 1) : count_);
    ++count_;
    const std::int64_t quantity = 1 + static_cast<std::int64_t>(draw(50));
    const std::int64_t price = 1000 + static_cast<std::int64_t>(draw(12));
    const std::uint32_t kind = draw(10);
    if (kind < 6) {
      const bool market = draw(8) == 0;
      constexpr std::array lives = {TimeInForce::Day, TimeInForce::GoodTillCancel,
                                    TimeInForce::ImmediateOrCancel, TimeInForce::FillOrKill};
      const TimeInForce life = lives[draw(3) == 0 ? draw(4) : 0];
      reference.submit({owner, name, side, market, life, quantity, market ? 0 : price});
      engine.submit({owner, name, "ACME", side, market ? OrderType::Market : OrderType::Limit, life,
                     Decimal{quantity, 0},
                     market ? std::nullopt : std::optional(Decimal{price, -2})});
      sides_[{owner, name}] = side;
      return;
    }
    const std::string original =
        "N" + std::to_string(count_ < 30 ? draw(count_ + 1) : count_ - draw(30));
    const auto known = sides_.find({owner, original});
    const Side given = known == sides_.end() || draw(20) == 0 ? side : known->second;
    if (kind < 8) {
      reference.cancel(owner, name, original, given);
      engine.cancel({owner, name, original, std::nullopt, "", given});
    } else {
      reference.replace(owner, name, original, given, quantity, price);
      engine.replace({owner, name, original, std::nullopt, "", given, OrderType::Limit,
                      std::nullopt, Decimal{quantity, 0}, Decimal{price, -2}});
    }
    sides_.try_emplace({owner, name}, given);
  }

  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

 private:
  std::mt19937 random_;
  std::uint32_t count_ = 0;
  std::map<std::pair<OwnerId, std::string>, Side> sides_;

 public:
  ReferenceBook reference;
  RecordedEvents events;
  MatchingEngine engine;
};

void expect_same_book(const RandomTrading& trading, Side side) {
  std::array<BookLevel, 64> levels;
  const std::size_t count = trading.engine.best_levels(0, side, levels);
  std::map<std::int64_t, std::int64_t> actual;
  for (std::size_t index = 0; index < count; ++index) {
    actual[*levels[index].price.mantissa_at(-2)] = levels[index].quantity.mantissa;
    if (index > 0) {
      const bool falling = levels[index].price < levels[index - 1].price;
      ASSERT_EQ(falling, side == Side::Buy);
    }
  }
  ASSERT_EQ(actual, trading.reference.levels(side == Side::Buy));
}

TEST(MatchingProperty, AgreesWithTheSlowReferenceReportByReport) {
  std::size_t trades = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    RandomTrading trading(seed);
    for (int step = 0; step < 400; ++step) {
      trading.step();
      ASSERT_EQ(trading.events.lines, trading.reference.lines)
          << "seed " << seed << " step " << step;
      trading.events.lines.clear();
      trading.reference.lines.clear();
      ASSERT_NO_FATAL_FAILURE(expect_same_book(trading, Side::Buy))
          << "seed " << seed << " step " << step;
      ASSERT_NO_FATAL_FAILURE(expect_same_book(trading, Side::Sell))
          << "seed " << seed << " step " << step;
    }
    trades += trading.events.trades.size();
  }
  EXPECT_GT(trades, 1000U);
}

TEST(MatchingProperty, NoBookIsEverCrossed) {
  RandomTrading trading(7);
  for (int step = 0; step < 2000; ++step) {
    trading.step();
    std::array<BookLevel, 1> bid;
    std::array<BookLevel, 1> offer;
    if (trading.engine.best_levels(0, Side::Buy, bid) == 1 &&
        trading.engine.best_levels(0, Side::Sell, offer) == 1) {
      ASSERT_LT(bid[0].price, offer[0].price);
    }
  }
}

/// Sums the reports of each side, order by order.
class Bookkeeper : public EventSink {
 public:
  void on_execution(const ExecutionReport& report) override {
    const std::int64_t quantity = report.quantity ? report.quantity->mantissa : 0;
    if (report.type == ExecType::Rejected) {
      return;
    }
    if (is_open(report.status) || report.status == OrderStatus::Filled) {
      EXPECT_EQ(report.filled.mantissa + report.leaves.mantissa, quantity);
    } else {
      EXPECT_EQ(report.leaves.mantissa, 0);
      EXPECT_LE(report.filled.mantissa, quantity);
    }
    std::int64_t& filled = filled_[report.order_id];
    WideInteger& notional = notional_[report.order_id];
    if (report.type == ExecType::Trade) {
      EXPECT_GT(report.last_quantity.mantissa, 0);
      filled += report.last_quantity.mantissa;
      notional +=
          static_cast<WideInteger>(report.last_quantity.mantissa) * report.last_price.mantissa;
      (is_buy(report.side) ? bought : sold) += report.last_quantity.mantissa;
    }
    EXPECT_EQ(report.filled.mantissa, filled);
    EXPECT_TRUE(report.notional.sum == notional);
  }

  void on_cancel_reject(const CancelReject& /*reject*/) override {}

  void on_trade(const PublicTrade& trade) override { traded += trade.quantity.mantissa; }

  std::int64_t bought = 0;
  std::int64_t sold = 0;
  std::int64_t traded = 0;

 private:
  std::map<OrderId, std::int64_t> filled_;
  std::map<OrderId, WideInteger> notional_;
};

TEST(MatchingProperty, QuantityIsConservedAndNameMemoryIsBounded) {
  Bookkeeper keeper;
  // So few names that ended orders are forgotten and their slots reused all the time.
  MatchingEngine engine({.cl_ord_ids_max = 64}, keeper);
  ASSERT_TRUE(engine.add_instrument({.symbol = "ACME"}).has_value());
  std::mt19937 random(11);
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const OwnerId owner = draw(2);
    const std::string name = "N" + std::to_string(step);
    const std::string original = "N" + std::to_string(step - std::min(step, draw(12)));
    const Side side = (step / 2) % 2 == 0 ? Side::Buy : Side::Sell;
    const Decimal quantity{1 + draw(20), 0};
    const Decimal price{1000 + draw(6), -2};
    switch (draw(5)) {
      case 0:
        engine.cancel({owner, name, original, std::nullopt, "", side});
        break;
      case 1:
        engine.replace({owner, name, original, std::nullopt, "", side, OrderType::Limit,
                        std::nullopt, quantity, price});
        break;
      default:
        engine.submit(
            {owner, name, "ACME", side, OrderType::Limit, TimeInForce::Day, quantity, price});
        break;
    }
    if (step % 1000 == 999) {
      engine.owner_gone(owner);
    }
  }
  engine.end_day();
  EXPECT_EQ(engine.open_orders(), 0U);
  EXPECT_GT(keeper.traded, 0);
  EXPECT_EQ(keeper.bought, keeper.traded);
  EXPECT_EQ(keeper.sold, keeper.traded);
}

TEST(MatchingProperty, SameCommandsGiveTheSameReportsAndIds) {
  RandomTrading first(3);
  RandomTrading second(3);
  for (int step = 0; step < 2000; ++step) {
    first.step();
    second.step();
  }
  EXPECT_EQ(first.events.lines, second.events.lines);
  EXPECT_EQ(first.events.exec_ids, second.events.exec_ids);
  EXPECT_FALSE(first.events.lines.empty());
}

}  // namespace
}  // namespace affix::tools::exchange
