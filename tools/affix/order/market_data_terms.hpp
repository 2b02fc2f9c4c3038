// SPDX-License-Identifier: MIT
// The words of market data that exchange and trade client share. As with an order's words, every
// enumerator has the character that FIX gives the value, and whoever receives one asks whether it
// is known before believing it.
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
  EmptyBook = 'J',  ///< Since FIX.5.0: the only entry of a snapshot without any other.
};

/// MDUpdateAction(279).
enum class UpdateAction : char { New = '0', Change = '1', Delete = '2' };

[[nodiscard]] constexpr bool is_supported(EntryType type) noexcept {
  return type == EntryType::Bid || type == EntryType::Offer || type == EntryType::Trade;
}

}  // namespace affix::inline v0::tools
