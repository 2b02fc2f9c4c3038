// SPDX-License-Identifier: MIT
// One symbol's book as market data tells it, and what is wrong with what it tells.
#pragma once

#include "affix/base/decimal.hpp"

#include "trade/market_data/book_news.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// What is wrong with a market data message.
enum class BookFault : std::uint8_t {
  None,
  Unreadable,      ///< A field that it must have is missing or cannot be read.
  UnknownRequest,  ///< We never asked under this MDReqID.
  UnknownSymbol,   ///< We did not ask for this symbol.
  NoSnapshot,      ///< An increment before the first snapshot.
  UnknownLevel,    ///< A change or deletion of a price that the book does not have.
  LevelExists,     ///< A new level at a price that the book has.
  EmptyLevel,      ///< A level without quantity or orders.
  WrongPosition,   ///< The level is not where the message says.
  TooManyLevels,   ///< More than were asked for.
  Crossed,         ///< The best bid is not below the best offer.
};

inline constexpr std::size_t book_fault_count = 11;

/// Text for people, static storage.
[[nodiscard]] std::string_view to_text(BookFault fault) noexcept;

struct BookTerms {
  base::Decimal price;
  base::Decimal quantity;
};

/// Price levels best first, and the last trade.
class MarketBook {
 public:
  /// Before a snapshot's entries.
  void clear() noexcept;

  /// A trade, or a level's news. A faulty one changes nothing.
  [[nodiscard]] BookFault apply(const BookEntry& entry);

  /// Once a message has been taken in: whether the level is where the entry says.
  [[nodiscard]] BookFault check_position(const BookEntry& entry) const noexcept;

  /// Once a message has been taken in. `depth` 0: any number of levels.
  [[nodiscard]] BookFault check(std::int64_t depth) const noexcept;

  [[nodiscard]] const std::vector<BookTerms>& bids() const noexcept { return bids_; }

  [[nodiscard]] const std::vector<BookTerms>& offers() const noexcept { return offers_; }

  [[nodiscard]] const std::optional<BookTerms>& last_trade() const noexcept { return last_trade_; }

 private:
  std::vector<BookTerms> bids_;
  std::vector<BookTerms> offers_;
  std::optional<BookTerms> last_trade_;
};

}  // namespace affix::inline v0::tools::trade
