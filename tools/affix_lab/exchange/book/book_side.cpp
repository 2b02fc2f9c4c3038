// SPDX-License-Identifier: MIT
// Keeps the levels sorted, and each level's sums up to date.
#include "exchange/book/book_side.hpp"

#include "affix/base/assert.hpp"

namespace affix::inline v0::tools::exchange {

std::size_t BookSide::position_of(std::int64_t rank) const noexcept {
  std::size_t low = 0;
  std::size_t count = levels_.size();
  while (count > 0) {
    const std::size_t half = count / 2;
    if (levels_[low + half].rank < rank) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

bool BookSide::add(Order& order) {
  const std::int64_t rank = rank_of(order.price);
  const std::size_t position = position_of(rank);
  if (position == levels_.size() || levels_[position].rank != rank) {
    if (levels_.size() == levels_max_) {
      return false;
    }
    levels_.insert(levels_.begin() + static_cast<std::ptrdiff_t>(position),
                   PriceLevel{.rank = rank});
  }
  PriceLevel& level = levels_[position];
  order.queue_prev = level.last;
  order.queue_next = nullptr;
  (level.last != nullptr ? level.last->queue_next : level.first) = &order;
  level.last = &order;
  level.quantity += order.unfilled();
  ++level.order_count;
  return true;
}

void BookSide::remove(Order& order) noexcept {
  const std::size_t position = position_of(rank_of(order.price));
  AFFIX_DEBUG_ASSERT(position < levels_.size() && levels_[position].rank == rank_of(order.price));
  levels_[position].quantity -= order.unfilled();
  unlink(position, order);
}

void BookSide::reduce(const Order& order, std::int64_t units) noexcept {
  const std::size_t position = position_of(rank_of(order.price));
  AFFIX_DEBUG_ASSERT(position < levels_.size() && levels_[position].rank == rank_of(order.price));
  levels_[position].quantity -= units;
}

void BookSide::pop_best() noexcept {
  Order& order = *levels_.back().first;
  levels_.back().quantity -= order.unfilled();
  unlink(levels_.size() - 1, order);
}

void BookSide::unlink(std::size_t position, Order& order) noexcept {
  PriceLevel& level = levels_[position];
  (order.queue_prev != nullptr ? order.queue_prev->queue_next : level.first) = order.queue_next;
  (order.queue_next != nullptr ? order.queue_next->queue_prev : level.last) = order.queue_prev;
  order.queue_prev = nullptr;
  order.queue_next = nullptr;
  --level.order_count;
  if (level.order_count == 0) {
    AFFIX_ASSERT(level.quantity == 0);
    levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(position));
  }
}

bool BookSide::holds(std::int64_t wanted, std::int64_t rank) const noexcept {
  for (std::size_t index = levels_.size(); index > 0 && levels_[index - 1].rank >= rank; --index) {
    wanted -= levels_[index - 1].quantity;
    if (wanted <= 0) {
      return true;
    }
  }
  return wanted <= 0;
}

}  // namespace affix::inline v0::tools::exchange
