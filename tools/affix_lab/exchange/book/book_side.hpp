// SPDX-License-Identifier: MIT
// The resting orders of one side of one book: price levels in order, each a queue in order of
// arrival.
#pragma once

#include "exchange/book/order.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// Orders at one price, in order of arrival.
struct PriceLevel {
  std::int64_t rank =
      0;  ///< The price for buyers, its negation for sellers: greater is always better.
  std::int64_t quantity = 0;  ///< Sum of its orders' unfilled quantities.
  Order* first = nullptr;
  Order* last = nullptr;
  std::uint32_t order_count = 0;
};

/// Levels are in one array, worst first, so that the busy ones near the best price are at its end,
/// where adding and removing moves little; they are found by binary search. Links orders, does not
/// own them. Allocates when the array grows, up to levels_max.
class BookSide {
 public:
  BookSide(bool buy, std::size_t levels_max) : buy_(buy), levels_max_(levels_max) {}

  /// Appends the order to the queue at its price. False, without effect, if that needs a new level
  /// and there are levels_max.
  [[nodiscard]] bool add(Order& order);

  /// Removes a resting order.
  void remove(Order& order) noexcept;

  /// Accounts for `units` by which the order was filled or reduced; it keeps its place.
  void reduce(const Order& order, std::int64_t units) noexcept;

  /// Does the same for an order at the best price, without a search.
  void reduce_best(std::int64_t units) noexcept { levels_.back().quantity -= units; }

  /// Removes the first order of the best level.
  void pop_best() noexcept;

  /// True if `wanted` units rest at `rank` or better.
  [[nodiscard]] bool holds(std::int64_t wanted, std::int64_t rank) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return levels_.empty(); }

  /// The level with the best price. Not if empty().
  [[nodiscard]] const PriceLevel& best() const noexcept { return levels_.back(); }

  /// All levels, worst first. Valid until the next change.
  [[nodiscard]] std::span<const PriceLevel> levels() const noexcept { return levels_; }

  [[nodiscard]] std::int64_t rank_of(std::int64_t price) const noexcept {
    return buy_ ? price : -price;
  }

  [[nodiscard]] std::int64_t price_of(std::int64_t rank) const noexcept {
    return buy_ ? rank : -rank;
  }

 private:
  /// Index of the level with `rank`, or of its place.
  [[nodiscard]] std::size_t position_of(std::int64_t rank) const noexcept;
  void unlink(std::size_t position, Order& order) noexcept;

  bool buy_;
  std::size_t levels_max_;
  std::vector<PriceLevel> levels_;
};

}  // namespace affix::inline v0::tools::exchange
