// SPDX-License-Identifier: MIT
// One order in the exchange, a node in up to two lists: its price level's queue, and its owner's
// open orders.
#pragma once

#include "exchange/book/commands.hpp"
#include "exchange/book/events.hpp"
#include "exchange/book/instrument.hpp"
#include "order/cl_ord_id_table.hpp"
#include "order/order_terms.hpp"

#include <cstdint>

namespace affix::inline v0::tools::exchange {

struct Order {
  WideInteger notional = 0;  ///< Sum of price x quantity over its fills, in units of both.
  std::int64_t price = 0;    ///< In units of its instrument; 0 for a market order.
  std::int64_t quantity = 0;
  std::int64_t filled = 0;
  Order* queue_prev = nullptr;
  Order* queue_next = nullptr;
  Order* owner_prev = nullptr;
  Order* owner_next = nullptr;
  OrderId order_id = 0;
  OwnerId owner = 0;
  InstrumentId instrument = 0;
  std::uint32_t slot = 0;
  ClOrdIdTable::NameSlot name = ClOrdIdTable::no_name;  ///< Its present ClOrdID.
  std::uint32_t names =
      0;  ///< Number of ClOrdIDs in the table for this order, including those of its cancels.
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  OrderStatus status = OrderStatus::New;

  /// Quantity not filled yet, even if the order can no longer trade.
  [[nodiscard]] std::int64_t unfilled() const noexcept { return quantity - filled; }

  /// LeavesQty(151): 0 for an order that was canceled or has expired.
  [[nodiscard]] std::int64_t leaves() const noexcept { return is_open(status) ? unfilled() : 0; }
};

}  // namespace affix::inline v0::tools::exchange
