// SPDX-License-Identifier: MIT
// What a member may ask of the exchange. Text is viewed, never kept beyond the call. An optional is
// a FIX field that may be absent; enums hold whatever character the field had, and the engine
// refuses those it does not know.
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

/// OrderCancelRequest(35=F). The order is named by OrigClOrdID, by OrderID, or by both when they
/// agree.
struct CancelOrder {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;  ///< Empty: not checked.
  Side side = Side::Buy;
};

/// OrderCancelReplaceRequest(35=G). `quantity` is the whole order's, what was filled included.
struct ReplaceOrder {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;  ///< Empty: not checked.
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  std::optional<TimeInForce> time_in_force;  ///< Absent: as it was. It cannot be changed.
  std::optional<base::Decimal> quantity;
  std::optional<base::Decimal> price;
};

/// OrderStatusRequest(35=H). Any ClOrdID of the order's chain that is still remembered will do.
struct StatusRequest {
  OwnerId owner = 0;
  std::string_view cl_ord_id;
  std::optional<OrderId> order_id;
  std::string_view symbol;
  Side side = Side::Buy;
};

}  // namespace affix::inline v0::tools::exchange
