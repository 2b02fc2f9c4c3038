// SPDX-License-Identifier: MIT
// One instrument's book: both sides, and the matching of an arriving order against the other side
// by price, then time. Independent of owners, names and reports.
#pragma once

#include "exchange/book/book_side.hpp"
#include "exchange/book/order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace affix::inline v0::tools::exchange {

class OrderBook {
 public:
  explicit OrderBook(std::size_t levels_max)
      : bids_(true, levels_max), offers_(false, levels_max) {}

  /// Trades the order, which does not rest, with orders resting on the other side at acceptable
  /// prices, best price first and then longest waiting first, at the resting order's price. Updates
  /// both orders' filled, notional and status, and removes a filled resting order; then calls
  /// on_fill(resting, units), which must not touch the book.
  template <typename OnFill>
  void match(Order& order, OnFill&& on_fill) {
    BookSide& resting_side = is_buy(order.side) ? offers_ : bids_;
    const std::int64_t worst = worst_rank(order, resting_side);
    while (order.unfilled() > 0 && !resting_side.empty() && resting_side.best().rank >= worst) {
      Order& resting = *resting_side.best().first;
      const std::int64_t units = std::min(order.unfilled(), resting.unfilled());
      fill(order, units, resting.price);
      fill(resting, units, resting.price);
      resting_side.reduce_best(units);
      if (resting.unfilled() == 0) {
        resting_side.pop_best();
      }
      ++version_;
      on_fill(resting, units);
    }
  }

  /// True if match() would fill the whole order.
  [[nodiscard]] bool can_fill(const Order& order) const noexcept {
    const BookSide& resting_side = is_buy(order.side) ? offers_ : bids_;
    return resting_side.holds(order.unfilled(), worst_rank(order, resting_side));
  }

  /// Adds the unfilled rest of a limit order to the end of its price's queue; false if levels_max
  /// are in use.
  [[nodiscard]] bool rest(Order& order) {
    ++version_;
    return side(order).add(order);
  }

  void remove(Order& order) noexcept {
    ++version_;
    side(order).remove(order);
  }

  /// Lowers a resting order's quantity by `units`, less than its unfilled quantity; it keeps its
  /// place in the queue.
  void reduce(Order& order, std::int64_t units) noexcept {
    ++version_;
    side(order).reduce(order, units);
    order.quantity -= units;
  }

  [[nodiscard]] const BookSide& bids() const noexcept { return bids_; }

  [[nodiscard]] const BookSide& offers() const noexcept { return offers_; }

  /// Changes with every change of the book, so that a publisher notices it.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

 private:
  [[nodiscard]] BookSide& side(const Order& order) noexcept {
    return is_buy(order.side) ? bids_ : offers_;
  }

  [[nodiscard]] static std::int64_t worst_rank(const Order& order,
                                               const BookSide& resting) noexcept {
    return order.type == OrderType::Market ? std::numeric_limits<std::int64_t>::min()
                                           : resting.rank_of(order.price);
  }

  static void fill(Order& order, std::int64_t units, std::int64_t price) noexcept {
    order.filled += units;
    order.notional += static_cast<WideInteger>(units) * price;
    order.status = order.unfilled() == 0 ? OrderStatus::Filled : OrderStatus::PartiallyFilled;
  }

  BookSide bids_;
  BookSide offers_;
  std::uint64_t version_ = 0;
};

}  // namespace affix::inline v0::tools::exchange
