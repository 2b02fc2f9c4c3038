// SPDX-License-Identifier: MIT
// Reasons for which the exchange refuses a command or removes an order from the book, with text and
// FIX codes for the peer: OrdRejReason(103) for orders, CxlRejReason(102) for cancels and replaces.
#pragma once

#include "order/order_terms.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools::exchange {

enum class Reason : std::uint8_t {
  None,
  // Faults of the command itself.
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
  // Faults of a cancel, replace or status request that concern the other order.
  UnknownOrder,
  WrongOwner,
  SupersededClOrdId,
  OrderMismatch,
  TooLateToCancel,
  ImmutableTerms,
  QuantityBelowFilled,
  // Reasons for removal without the owner's request.
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
  MassCancel,
  Fault,
};

/// One sentence for Text(58), static storage. Empty for None.
[[nodiscard]] std::string_view to_text(Reason reason) noexcept;

/// OrdRejReason(103) of a refused order or status request.
[[nodiscard]] int ord_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept;

/// CxlRejReason(102) of a refused cancel or replace.
[[nodiscard]] int cxl_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept;

}  // namespace affix::inline v0::tools::exchange
