// SPDX-License-Identifier: MIT
// The publisher's output to a member, and whether the member could take it. No FIX text.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"

#include "exchange/market_data/request.hpp"
#include "order/cl_ord_id_table.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::tools::exchange {

/// A price level of one side, or a trade.
struct MarketDataEntry {
  UpdateAction action = UpdateAction::New;
  EntryType type = EntryType::Bid;
  base::Decimal price;
  base::Decimal quantity;         ///< Zero for a deleted level.
  std::uint32_t order_count = 0;  ///< Orders at a level; 0 for a trade or a deleted level.
  std::uint32_t position = 0;     ///< 1 is the best level, after the whole message has been
                                  ///< applied; 0 for a trade or a deleted level.
  std::uint64_t match_id = 0;     ///< For a trade.
  base::UtcTime time;             ///< For a trade.
};

/// One message: a snapshot (35=W), which replaces earlier contents of the symbol under this
/// request, or increments (35=X). Views are valid during the call.
struct MarketDataNews {
  OwnerId owner = 0;
  std::string_view request_id;
  std::string_view symbol;
  bool snapshot = false;
  bool book_wanted = false;  ///< Bids or offers were requested, not only trades.
  std::int64_t depth = 0;    ///< As requested: 0 for all levels.
  std::span<const MarketDataEntry> entries;
};

enum class SendOutcome : std::uint8_t {
  Sent,
  NoRoom,   ///< The member takes nothing at present; the publisher waits for room().
  TooLarge  ///< The member can never take this one.
};

/// Receiver of the publisher's messages. Must not call the publisher.
class MarketDataSink {
 public:
  MarketDataSink() = default;
  MarketDataSink(const MarketDataSink&) = delete;
  MarketDataSink& operator=(const MarketDataSink&) = delete;
  virtual ~MarketDataSink() = default;

  [[nodiscard]] virtual SendOutcome on_news(const MarketDataNews& news) = 0;

  /// The publisher has ended a subscription for a reason of its own.
  virtual void on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) = 0;
};

}  // namespace affix::inline v0::tools::exchange
