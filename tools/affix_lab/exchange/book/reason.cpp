// SPDX-License-Identifier: MIT
// Texts and FIX codes of the exchange's reasons.
#include "exchange/book/reason.hpp"

namespace affix::inline v0::tools::exchange {

std::string_view to_text(Reason reason) noexcept {
  switch (reason) {
    case Reason::None:
      return "";
    case Reason::MissingClOrdId:
      return "ClOrdID is empty";
    case Reason::ClOrdIdTooLong:
      return "ClOrdID is longer than 63 bytes";
    case Reason::DuplicateClOrdId:
      return "ClOrdID was used before";
    case Reason::UnknownSymbol:
      return "Symbol is not traded here";
    case Reason::UnsupportedSide:
      return "Side is not one of 1 (Buy), 2 (Sell), 5 (Sell short)";
    case Reason::UnsupportedOrderType:
      return "OrdType is not one of 1 (Market), 2 (Limit)";
    case Reason::UnsupportedTimeInForce:
      return "TimeInForce is not one of 0 (Day), 1 (GTC), 3 (IOC), 4 (FOK)";
    case Reason::MissingQuantity:
      return "OrderQty is missing";
    case Reason::QuantityNotPositive:
      return "OrderQty is not above zero";
    case Reason::QuantityOffLot:
      return "OrderQty is not a multiple of the lot";
    case Reason::QuantityTooLarge:
      return "OrderQty is above the symbol's limit";
    case Reason::MissingPrice:
      return "Price is missing on a limit order";
    case Reason::PriceOnMarketOrder:
      return "Price is given on a market order";
    case Reason::PriceOffTick:
      return "Price is not a multiple of the tick";
    case Reason::PriceOutOfRange:
      return "Price is outside the symbol's limits";
    case Reason::TooManyOrders:
      return "The exchange holds as many open orders as it can";
    case Reason::UnknownOrder:
      return "No such order";
    case Reason::WrongOwner:
      return "The order belongs to another session";
    case Reason::SupersededClOrdId:
      return "OrigClOrdID was replaced by a later ClOrdID";
    case Reason::OrderMismatch:
      return "Symbol, Side or OrderID is not that of the order";
    case Reason::TooLateToCancel:
      return "The order is filled, canceled or expired";
    case Reason::ImmutableTerms:
      return "Only OrderQty and Price of a limit order can be replaced";
    case Reason::QuantityBelowFilled:
      return "OrderQty is below the quantity already filled";
    case Reason::NothingToMatch:
      return "Nothing more to trade with at an acceptable price";
    case Reason::NotFillableWhole:
      return "The whole quantity cannot be filled at once";
    case Reason::TooManyPriceLevels:
      return "The book holds as many price levels as it can";
    case Reason::OwnerGone:
      return "Canceled on disconnect";
    case Reason::EndOfDay:
      return "Expired at the end of the day";
    case Reason::SymbolClosed:
      return "Symbol is no longer traded here";
    case Reason::SessionGone:
      return "The order's session is no longer there";
    case Reason::NothingStored:
      return "The exchange was started anew, and the session's journal keeps nothing";
    case Reason::RecordsLost:
      return "The exchange was started anew and has lost its last actions";
    case Reason::ReportsUnread:
      return "Too many reports wait to be read";
    case Reason::Fault:
      return "Refused by the exchange's faults";
    case Reason::MassCancel:
      return "Canceled with all orders of its member";
  }
  return "unknown reason";
}

namespace {

// Values of OrdRejReason(103).
constexpr int ord_broker_option = 0;
constexpr int ord_unknown_symbol = 1;
constexpr int ord_exceeds_limit = 3;
constexpr int ord_unknown_order = 5;
constexpr int ord_duplicate_order = 6;
constexpr int ord_unsupported_characteristic = 11;
constexpr int ord_incorrect_quantity = 13;
constexpr int ord_other = 99;
constexpr int ord_last_of_fix42 = 8;

// Values of CxlRejReason(102).
constexpr int cxl_too_late = 0;
constexpr int cxl_unknown_order = 1;
constexpr int cxl_broker_option = 2;
constexpr int cxl_duplicate_cl_ord_id = 6;
constexpr int cxl_other = 99;
constexpr int cxl_last_of_fix42 = 3;

int ord_rej_reason_of_fix44(Reason reason) noexcept {
  switch (reason) {
    case Reason::UnknownSymbol:
      return ord_unknown_symbol;
    case Reason::QuantityTooLarge:
    case Reason::PriceOutOfRange:
    case Reason::TooManyOrders:
    case Reason::TooManyPriceLevels:
      return ord_exceeds_limit;
    case Reason::UnknownOrder:
    case Reason::WrongOwner:
    case Reason::SupersededClOrdId:
    case Reason::OrderMismatch:
      return ord_unknown_order;
    case Reason::DuplicateClOrdId:
      return ord_duplicate_order;
    case Reason::UnsupportedSide:
    case Reason::UnsupportedOrderType:
    case Reason::UnsupportedTimeInForce:
    case Reason::PriceOnMarketOrder:
    case Reason::MissingPrice:
      return ord_unsupported_characteristic;
    case Reason::MissingQuantity:
    case Reason::QuantityNotPositive:
    case Reason::QuantityOffLot:
      return ord_incorrect_quantity;
    default:
      return ord_other;
  }
}

int cxl_rej_reason_of_fix44(Reason reason) noexcept {
  switch (reason) {
    case Reason::TooLateToCancel:
      return cxl_too_late;
    case Reason::UnknownOrder:
    case Reason::WrongOwner:
    case Reason::SupersededClOrdId:
    case Reason::OrderMismatch:
      return cxl_unknown_order;
    case Reason::DuplicateClOrdId:
      return cxl_duplicate_cl_ord_id;
    default:
      return cxl_other;
  }
}

}  // namespace

int ord_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept {
  const int code = ord_rej_reason_of_fix44(reason);
  return vocabulary == FixVocabulary::Fix42 && code > ord_last_of_fix42 ? ord_broker_option : code;
}

int cxl_rej_reason(Reason reason, FixVocabulary vocabulary) noexcept {
  const int code = cxl_rej_reason_of_fix44(reason);
  return vocabulary == FixVocabulary::Fix42 && code > cxl_last_of_fix42 ? cxl_broker_option : code;
}

}  // namespace affix::inline v0::tools::exchange
