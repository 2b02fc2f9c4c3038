// SPDX-License-Identifier: MIT
// A request of the trade client, from a file or from the generator.
#pragma once

#include "affix/base/decimal.hpp"

#include "order/order_terms.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::tools::trade {

/// The message: NewOrderSingle, OrderCancelRequest, OrderCancelReplaceRequest. The values are their
/// MsgType(35).
enum class RequestKind : char { New = 'D', Cancel = 'F', Replace = 'G' };

/// A request with all its values. `due_ns` is the time at which it should be sent, relative to the
/// start of the flow, even if the client is late: round trips are measured from it, so that a stall
/// counts for every request that it delays.
struct OrderRequest {
  RequestKind kind = RequestKind::New;
  std::int64_t due_ns = 0;
  std::string cl_ord_id;
  std::string orig_cl_ord_id;  ///< Cancel and Replace only.
  std::string symbol;
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  base::Decimal quantity;
  std::optional<base::Decimal> price;  ///< Limit orders only.
};

}  // namespace affix::inline v0::tools::trade
