// SPDX-License-Identifier: MIT
// Why the exchange refused a command or took an order out of the book, with the text and the FIX
// codes that say it to the peer: OrdRejReason(103) for orders, CxlRejReason(102) for cancels and
// replaces.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools::exchange {

enum class Reason : std::uint8_t {
  None,
  // What a command says of itself.
  MissingClOrdId,
  ClOrdIdTooLong,
  DuplicateClOrdId,
  UnknownSymbol,
  UnsupportedSide,
  UnsupportedOrderType,
  UnsupportedTimeInForce,
  MissingQuantity,
  QuantityNotPositive,
  QuantityOffLot,
  QuantityTooLarge,
  MissingPrice,
  PriceOnMarketOrder,
  PriceOffTick,
  PriceOutOfRange,
  TooManyOrders,
  // What a cancel, replace or status request says of another order.
  UnknownOrder,
  WrongOwner,
  SupersededClOrdId,
  OrderMismatch,
  TooLateToCancel,
  ImmutableTerms,
  QuantityBelowFilled,
  // Why an order left the book without its owner asking for it.
  NothingToMatch,
  NotFillableWhole,
  TooManyPriceLevels,
  OwnerGone,
  EndOfDay,
  SymbolClosed,
  SessionGone,
  NothingStored,
  RecordsLost,
  ReportsUnread,
};

/// Which values of the two reason fields the peer's FIX version has.
enum class FixVocabulary : std::uint8_t {
  Fix42,  ///< FIX.4.2: what it lacks becomes 0 (Broker option), for a cancel 2.
  Fix44,  ///< FIX.4.4 and later.
};

/// One sentence for Text(58), static storage. Empty for None.
[[nodiscard]] std::string_view to_text(Reason reason) noexcept;

/// OrdRejReason(103) of a refused order or status request.
[[nodiscard]] int ord_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept;

/// CxlRejReason(102) of a refused cancel or replace.
[[nodiscard]] int cxl_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept;

}  // namespace affix::inline v0::tools::exchange
