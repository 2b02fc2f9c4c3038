// SPDX-License-Identifier: MIT
// One symbol's book according to market data, and the faults of that data.
#pragma once

#include "affix/base/decimal.hpp"

#include "trade/market_data/book_news.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// Fault of a market data message.
enum class BookFault : std::uint8_t {
  None,
  Unreadable,      ///< A required field is missing or unreadable.
  UnknownRequest,  ///< No request has this MDReqID.
  UnknownSymbol,   ///< The symbol was not requested.
  NoSnapshot,      ///< An increment before the first snapshot.
  UnknownLevel,    ///< Change or deletion of a price that is not in the book.
  LevelExists,     ///< A new level at a price that is in the book.
  EmptyLevel,      ///< A level without quantity or orders.
  WrongPosition,   ///< The level is not at the given position.
  TooManyLevels,   ///< More levels than requested.
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
  /// Call before a snapshot's entries.
  void clear() noexcept;

  /// Applies a trade or a level. A faulty one changes nothing.
  [[nodiscard]] BookFault apply(const BookEntry& entry);

  /// Call after applying a message: checks that the level is at the entry's position.
  [[nodiscard]] BookFault check_position(const BookEntry& entry) const noexcept;

  /// Call after applying a message. `depth` 0: any number of levels.
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
