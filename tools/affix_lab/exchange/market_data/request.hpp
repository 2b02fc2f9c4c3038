// SPDX-License-Identifier: MIT
// A member's market data request, and the reasons for refusal. No FIX text: enums contain whatever
// character the field had, and the publisher refuses unknown ones.
#pragma once

#include "order/cl_ord_id_table.hpp"
#include "order/market_data_terms.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// MarketDataRequest(35=V). Text is viewed, never kept after the call.
struct MarketDataRequest {
  OwnerId owner = 0;
  std::string_view id;  ///< MDReqID(262).
  SubscriptionType type = SubscriptionType::Snapshot;
  std::int64_t depth = 0;  ///< MarketDepth(264): levels a side, 0 for all.
  std::optional<UpdateType> update_type;
  bool aggregated = true;  ///< AggregatedBook(266): one entry per price.
  std::vector<EntryType> entry_types;
  std::vector<std::string_view> symbols;
};

/// Reason for refusing a request, or for ending a subscription.
enum class MarketDataRefusal : std::uint8_t {
  None,
  UnknownSymbol,
  DuplicateRequestId,
  RequestIdTooLong,
  UnknownRequestId,
  TooManySubscriptions,
  TooManySymbols,
  UnsupportedSubscriptionType,
  UnsupportedDepth,
  MissingUpdateType,
  UnsupportedUpdateType,
  UnsupportedAggregation,
  UnsupportedEntryType,
  BookTooLarge,  ///< A message with the book exceeds the member's limit.
};

/// One sentence for Text(58), static storage. Empty for None.
[[nodiscard]] std::string_view to_text(MarketDataRefusal refusal) noexcept;

/// MDReqRejReason(281), the same in every version that has it; nullopt if FIX has no code for it.
[[nodiscard]] std::optional<char> reject_reason(MarketDataRefusal refusal) noexcept;

}  // namespace affix::inline v0::tools::exchange
