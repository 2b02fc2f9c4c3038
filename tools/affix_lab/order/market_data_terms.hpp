// SPDX-License-Identifier: MIT
// Enums of market data shared by exchange and trade client. As with an order's enums, every
// enumerator is FIX's character for the value, and the receiver checks that it is known before
// using it.
#pragma once

namespace affix::inline v0::tools {

/// SubscriptionRequestType(263).
enum class SubscriptionType : char { Snapshot = '0', Subscribe = '1', Unsubscribe = '2' };

/// MDUpdateType(265).
enum class UpdateType : char { FullRefresh = '0', Incremental = '1' };

/// MDEntryType(269).
enum class EntryType : char {
  Bid = '0',
  Offer = '1',
  Trade = '2',
  EmptyBook = 'J',  ///< Since FIX.5.0: the only entry of an empty snapshot.
};

/// MDUpdateAction(279).
enum class UpdateAction : char { New = '0', Change = '1', Delete = '2' };

[[nodiscard]] constexpr bool is_supported(EntryType type) noexcept {
  return type == EntryType::Bid || type == EntryType::Offer || type == EntryType::Trade;
}

}  // namespace affix::inline v0::tools
