// SPDX-License-Identifier: MIT
// Output of the exchange and its receiver: reports to the owner of an order, and public trades.
// Every number is exact; views are valid only during the call.
#pragma once

#include "affix/base/decimal.hpp"

#include "exchange/book/commands.hpp"
#include "exchange/book/instrument.hpp"
#include "exchange/book/reason.hpp"
#include "order/order_terms.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

__extension__ using WideInteger = __int128;

/// Sum of price x quantity over an order's fills: sum x 10^exponent. It fits, because an
/// instrument's price and quantity limits fit 63 bits each.
struct Notional {
  WideInteger sum = 0;
  std::int32_t exponent = 0;
};

/// One ExecutionReport(35=8).
struct ExecutionReport {
  ExecType type =
      ExecType::New;  ///< New, Rejected, Trade, Canceled, Replaced, Expired or OrderStatus.
  OrderStatus status = OrderStatus::New;
  Reason reason = Reason::None;  ///< For Rejected, and for Canceled and Expired without a request.
  OwnerId owner = 0;
  OrderId order_id = 0;  ///< 0 when there is no order: FIX requires "NONE" then.
  std::uint64_t exec_id =
      0;  ///< Unique over the life of the engine; 0 for a status report, as FIX requires.
  std::uint64_t match_id = 0;  ///< Trade: the same for both sides. Otherwise 0.
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;  ///< After a requested cancel or replace; otherwise empty.
  std::string_view symbol;
  Side side = Side::Buy;
  OrderType order_type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  std::optional<base::Decimal> quantity;
  std::optional<base::Decimal> price;
  base::Decimal last_quantity;  ///< Trade only, otherwise zero.
  base::Decimal last_price;     ///< Trade only, otherwise zero.
  base::Decimal leaves;
  base::Decimal filled;  ///< CumQty(14).
  Notional notional;
};

/// One OrderCancelReject(35=9).
struct CancelReject {
  Reason reason = Reason::None;
  bool is_replace = false;  ///< CxlRejResponseTo(434): the refused request is a replace, not a
                            ///< cancel.
  OrderStatus status = OrderStatus::Rejected;  ///< Status of the order; Rejected when there is no
                                               ///< order.
  OwnerId owner = 0;
  OrderId order_id = 0;  ///< 0 when there is no order: FIX requires "NONE" then.
  std::string_view cl_ord_id;
  std::string_view orig_cl_ord_id;
};

/// A trade without private details.
struct PublicTrade {
  InstrumentId instrument = 0;
  std::string_view symbol;
  std::uint64_t match_id = 0;
  base::Decimal price;
  base::Decimal quantity;
  Side aggressor = Side::Buy;
};

/// Receives the engine's output in order. Must not call the engine: the command would run in the
/// middle of another.
class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  virtual void on_execution(const ExecutionReport& report) = 0;
  virtual void on_cancel_reject(const CancelReject& reject) = 0;

  virtual void on_trade(const PublicTrade& /*trade*/) {}

  /// The current command may change the instrument's book: called once or more often, and sometimes
  /// without a change.
  virtual void on_book_changing(InstrumentId /*instrument*/) {}
};

/// AvgPx(6): notional divided by `filled`, zero if nothing is filled. Exact if the quotient has at
/// most four digits more than the trades' prices; otherwise rounded there, half to even. Only this
/// derived figure is rounded.
[[nodiscard]] base::Decimal average_price(const Notional& notional, base::Decimal filled) noexcept;

}  // namespace affix::inline v0::tools::exchange
