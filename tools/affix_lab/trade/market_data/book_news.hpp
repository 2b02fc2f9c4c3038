// SPDX-License-Identifier: MIT
// A market data message and a request for market data, in the trade client's form. No FIX text.
#pragma once

#include "affix/base/decimal.hpp"

#include "order/market_data_terms.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// A level or a trade. Views point into the message.
struct BookEntry {
  UpdateAction action = UpdateAction::New;
  EntryType type = EntryType::Bid;
  std::string_view symbol;
  base::Decimal price;
  std::optional<base::Decimal> quantity;
  std::optional<std::int64_t> order_count;
  std::optional<std::int64_t> position;  ///< 1 is the best level.
};

/// A snapshot (35=W) of one symbol, or increments (35=X). Reused, to keep the memory of `entries`.
struct BookNews {
  bool snapshot = false;
  std::string_view request_id;
  std::string_view symbol;  ///< For a snapshot.
  std::vector<BookEntry> entries;
};

/// A MarketDataRequest(35=V) for bids, offers and trades of symbols, as increments. Views outlive
/// only the call.
struct BookSubscription {
  std::string_view request_id;
  std::int64_t depth = 0;
  std::span<const std::string> symbols;
};

}  // namespace affix::inline v0::tools::trade
