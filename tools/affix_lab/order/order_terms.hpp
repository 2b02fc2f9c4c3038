// SPDX-License-Identifier: MIT
// Enums of an order's life shared by exchange and trade client. Every enumerator is FIX's character
// for the value, so an adaptor casts a field's one byte to the enum and back, and the receiver
// calls is_supported() before using it.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools {

/// Side(54).
enum class Side : char { Buy = '1', Sell = '2', SellShort = '5' };

/// OrdType(40).
enum class OrderType : char { Market = '1', Limit = '2' };

/// TimeInForce(59).
enum class TimeInForce : char {
  Day = '0',
  GoodTillCancel = '1',
  ImmediateOrCancel = '3',
  FillOrKill = '4',
};

/// OrdStatus(39).
enum class OrderStatus : char {
  New = '0',
  PartiallyFilled = '1',
  Filled = '2',
  Canceled = '4',
  Replaced = '5',  ///< FIX.4.2 and older use it after a replace; later versions continue with New
                   ///< or PartiallyFilled.
  PendingCancel = '6',
  Rejected = '8',
  PendingNew = 'A',
  Expired = 'C',
  PendingReplace = 'E',
};

/// ExecType(150) as of FIX.4.3: a fill is Trade. FIX.4.2 has PartialFill and Fill instead.
enum class ExecType : char {
  New = '0',
  PartialFill = '1',
  Fill = '2',
  Canceled = '4',
  Replaced = '5',
  PendingCancel = '6',
  Rejected = '8',
  PendingNew = 'A',
  Expired = 'C',
  PendingReplace = 'E',
  Trade = 'F',
  OrderStatus = 'I',
};

/// Values of OrdRejReason(103) and CxlRejReason(102) that the peer's FIX version has.
enum class FixVocabulary : std::uint8_t {
  Fix42,  ///< FIX.4.2: missing values become 0 (Broker option), for a cancel 2.
  Fix44,  ///< FIX.4.4 and later.
};

[[nodiscard]] constexpr bool is_supported(Side side) noexcept {
  return side == Side::Buy || side == Side::Sell || side == Side::SellShort;
}

[[nodiscard]] constexpr bool is_supported(OrderType type) noexcept {
  return type == OrderType::Market || type == OrderType::Limit;
}

[[nodiscard]] constexpr bool is_supported(TimeInForce time_in_force) noexcept {
  return time_in_force == TimeInForce::Day || time_in_force == TimeInForce::GoodTillCancel ||
         time_in_force == TimeInForce::ImmediateOrCancel ||
         time_in_force == TimeInForce::FillOrKill;
}

/// True for an order that buys; a short sale is matched like any sale.
[[nodiscard]] constexpr bool is_buy(Side side) noexcept {
  return side == Side::Buy;
}

/// True for a status that an order never leaves again.
[[nodiscard]] constexpr bool is_final(OrderStatus status) noexcept {
  return status == OrderStatus::Filled || status == OrderStatus::Canceled ||
         status == OrderStatus::Rejected || status == OrderStatus::Expired;
}

/// True while an order with this status can still trade; also for a status that this enum lacks,
/// for which that is possible.
[[nodiscard]] constexpr bool is_open(OrderStatus status) noexcept {
  return !is_final(status);
}

/// Name of a value for people, static storage; "unknown" for an unknown character.
[[nodiscard]] std::string_view to_text(Side side) noexcept;
[[nodiscard]] std::string_view to_text(OrderType type) noexcept;
[[nodiscard]] std::string_view to_text(TimeInForce time_in_force) noexcept;
[[nodiscard]] std::string_view to_text(OrderStatus status) noexcept;

}  // namespace affix::inline v0::tools
