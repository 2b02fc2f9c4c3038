// SPDX-License-Identifier: MIT
// Members' commands to the exchange. Text is viewed, never kept after the call. An optional is a
// FIX field that may be absent; enums contain whatever character the field had, and the engine
// refuses unknown ones.
#pragma once

#include "affix/base/decimal.hpp"

#include "order/cl_ord_id_table.hpp"
#include "order/order_terms.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

/// Identifies an order for as long as the exchange remembers it; never zero.
using OrderId = std::uint64_t;

/// NewOrderSingle(35=D).
struct NewOrder {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::string_view symbol;
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  std::optional<base::Decimal> quantity;
  std::optional<base::Decimal> price;
};

/// OrderCancelRequest(35=F). OrigClOrdID, OrderID, or both if they agree, identify the order.
struct CancelOrder {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;  ///< Empty: not checked.
  Side side = Side::Buy;
};

/// OrderCancelReplaceRequest(35=G). `quantity` is that of the whole order, including the filled
/// part.
struct ReplaceOrder {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;  ///< Empty: not checked.
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  std::optional<TimeInForce> time_in_force;  ///< Absent: unchanged. It cannot be changed.
  std::optional<base::Decimal> quantity;
  std::optional<base::Decimal> price;
};

/// OrderMassCancelRequest(35=q): all open orders of the member.
struct MassCancel {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  char type = '\0';  ///< MassCancelRequestType(530); only all_orders is carried out.

  static constexpr char all_orders = '7';
};

/// OrderStatusRequest(35=H). Any ClOrdID of the order's chain that is still remembered identifies
/// it.
struct StatusRequest {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;
  Side side = Side::Buy;
};

}  // namespace affix::inline v0::tools::exchange
