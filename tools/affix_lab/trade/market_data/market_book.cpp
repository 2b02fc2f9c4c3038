// SPDX-License-Identifier: MIT
// Maintains levels in two sorted lists.
#include "trade/market_data/market_book.hpp"

#include <algorithm>

namespace affix::inline v0::tools::trade {

namespace {

/// Present or future position of `price` in a side with better prices first.
template <typename Levels>
auto place_of(Levels& levels, EntryType type, base::Decimal price) noexcept {
  return std::partition_point(levels.begin(), levels.end(), [&](const BookTerms& level) {
    return type == EntryType::Bid ? level.price > price : level.price < price;
  });
}

}  // namespace

std::string_view to_text(BookFault fault) noexcept {
  switch (fault) {
    case BookFault::None:
      return "none";
    case BookFault::Unreadable:
      return "unreadable market data";
    case BookFault::UnknownRequest:
      return "market data under an MDReqID that was never asked for";
    case BookFault::UnknownSymbol:
      return "market data of a symbol that was not asked for";
    case BookFault::NoSnapshot:
      return "an increment before a snapshot";
    case BookFault::UnknownLevel:
      return "a change or deletion of a price level that is not there";
    case BookFault::LevelExists:
      return "a new price level that is there already";
    case BookFault::EmptyLevel:
      return "a price level without quantity or orders";
    case BookFault::WrongPosition:
      return "a price level is not at the position it is said to have";
    case BookFault::TooManyLevels:
      return "more price levels than were asked for";
    case BookFault::Crossed:
      return "the book is crossed";
  }
  return {};
}

void MarketBook::clear() noexcept {
  bids_.clear();
  offers_.clear();
}

BookFault MarketBook::apply(const BookEntry& entry) {
  const bool deletes = entry.action == UpdateAction::Delete;
  const bool empty = !entry.quantity || entry.quantity->mantissa <= 0 ||
                     (entry.order_count && *entry.order_count <= 0);
  if (!deletes && empty) {
    return BookFault::EmptyLevel;
  }
  if (entry.type == EntryType::Trade) {
    last_trade_ = BookTerms{entry.price, entry.quantity.value_or(base::Decimal{})};
    return BookFault::None;
  }
  std::vector<BookTerms>& levels = entry.type == EntryType::Bid ? bids_ : offers_;
  const auto place = place_of(levels, entry.type, entry.price);
  const bool known = place != levels.end() && place->price == entry.price;
  if (entry.action == UpdateAction::New) {
    if (known) {
      return BookFault::LevelExists;
    }
    levels.insert(place, BookTerms{entry.price, *entry.quantity});
    return BookFault::None;
  }
  if (!known) {
    return BookFault::UnknownLevel;
  }
  if (deletes) {
    levels.erase(place);
  } else {
    place->quantity = *entry.quantity;
  }
  return BookFault::None;
}

BookFault MarketBook::check_position(const BookEntry& entry) const noexcept {
  if (!entry.position || entry.type == EntryType::Trade || entry.action == UpdateAction::Delete) {
    return BookFault::None;
  }
  const std::vector<BookTerms>& levels = entry.type == EntryType::Bid ? bids_ : offers_;
  const auto index = *entry.position - 1;
  const bool there = index >= 0 && index < static_cast<std::int64_t>(levels.size()) &&
                     levels[static_cast<std::size_t>(index)].price == entry.price;
  return there ? BookFault::None : BookFault::WrongPosition;
}

BookFault MarketBook::check(std::int64_t depth) const noexcept {
  const auto most = static_cast<std::int64_t>(std::max(bids_.size(), offers_.size()));
  if (depth != 0 && most > depth) {
    return BookFault::TooManyLevels;
  }
  const bool crossed =
      !bids_.empty() && !offers_.empty() && bids_.front().price >= offers_.front().price;
  return crossed ? BookFault::Crossed : BookFault::None;
}

}  // namespace affix::inline v0::tools::trade
