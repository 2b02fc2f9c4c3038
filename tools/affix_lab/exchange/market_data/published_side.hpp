// SPDX-License-Identifier: MIT
// One side of a book as last sent to a member, and the difference from the present book.
#pragma once

#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/news.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// Levels best first. In any number of portions, deletions first, increments leave after each
/// portion a part of the new book, with the positions that they name: a reader never sees a crossed
/// side or too many levels.
class PublishedSide {
 public:
  explicit PublishedSide(EntryType type) noexcept : type_(type) {}

  [[nodiscard]] std::span<const BookLevel> levels() const noexcept { return levels_; }

  /// Appends to `deletions` and `updates` the changes from levels() to `now`. O(levels of both).
  void compare(std::span<const BookLevel> now, std::vector<MarketDataEntry>& deletions,
               std::vector<MarketDataEntry>& updates) const;

  /// All of `now` was sent to the member.
  void set(std::span<const BookLevel> now) { levels_.assign(now.begin(), now.end()); }

  /// One increment of this side was sent to the member.
  void apply(const MarketDataEntry& entry);

  /// Appends every level as a new entry.
  void list(std::span<const BookLevel> now, std::vector<MarketDataEntry>& entries) const;

 private:
  [[nodiscard]] bool better(base::Decimal left, base::Decimal right) const noexcept {
    return type_ == EntryType::Bid ? left > right : left < right;
  }

  [[nodiscard]] MarketDataEntry entry_of(UpdateAction action, const BookLevel& level,
                                         std::size_t index) const noexcept;

  EntryType type_;
  std::vector<BookLevel> levels_;
};

}  // namespace affix::inline v0::tools::exchange
