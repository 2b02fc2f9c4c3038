// SPDX-License-Identifier: MIT
// One side of a book as a member has been told it, and what it takes to tell the book as it is now.
#pragma once

#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/news.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// Levels best first. Applied in any number of portions, deletions first, increments leave a book
/// that is a part of the new one after each portion, with the positions they name: a reader never
/// sees a crossed side or a level too many.
class PublishedSide {
 public:
  explicit PublishedSide(EntryType type) noexcept : type_(type) {}

  [[nodiscard]] std::span<const BookLevel> levels() const noexcept { return levels_; }

  /// Appends to `deletions` and to `updates` what makes levels() of `now`. Cost: both sides'
  /// levels.
  void compare(std::span<const BookLevel> now, std::vector<MarketDataEntry>& deletions,
               std::vector<MarketDataEntry>& updates) const;

  /// The member was told everything.
  void set(std::span<const BookLevel> now) { levels_.assign(now.begin(), now.end()); }

  /// The member was told one increment of this side.
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
