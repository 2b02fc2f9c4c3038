// SPDX-License-Identifier: MIT
// The trade client's record of its orders: every request sent and every report received, and
// whether they agree. Detects a counterparty that loses, repeats or invents a fill.
#pragma once

#include "affix/base/decimal.hpp"

#include "order/cl_ord_id_table.hpp"
#include "order/order_terms.hpp"
#include "order/slot_pool.hpp"
#include "trade/flow/order_request.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// Contents of an ExecutionReport(35=8) for one of our orders. Views are not kept.
struct ExecutionNews {
  std::string_view cl_ord_id;
  ExecType type = ExecType::New;
  OrderStatus status = OrderStatus::New;
  std::optional<base::Decimal> quantity;  ///< OrderQty(38), if the peer sends it.
  base::Decimal last_quantity;  ///< LastQty(32), LastShares before FIX.4.3; only for fills.
  base::Decimal leaves;
  base::Decimal filled;  ///< CumQty(14).
};

enum class ReportFault : std::uint8_t {
  None,
  UnknownOrder,     ///< No request has this ClOrdID, or it was forgotten long ago.
  DuplicateFill,    ///< CumQty did not grow by a fill: a repeated report.
  MissedFill,       ///< CumQty grew by more than LastQty: a report was lost.
  Overfill,         ///< More was filled than ordered.
  WrongSum,         ///< LeavesQty + CumQty is not OrderQty, or LeavesQty of an ended order is not
                    ///< 0.
  WrongQuantity,    ///< OrderQty is not the requested quantity.
  StatusMismatch,   ///< OrdStatus contradicts the quantities.
  AfterEnd,         ///< The order had ended.
  UnexpectedReply,  ///< Replaced or a cancel reject for a name of another request, or of an
                    ///< answered one.
};

inline constexpr std::size_t report_fault_count = 10;

/// Text for people, static storage.
[[nodiscard]] std::string_view to_text(ReportFault fault) noexcept;

/// Effect of a report.
struct NewsOutcome {
  ReportFault fault = ReportFault::None;
  /// Set by the first answer to a request: time from the request's due time to the answer.
  std::optional<std::int64_t> round_trip_ns;
};

struct FlowCounters {
  std::uint64_t orders_sent = 0;
  std::uint64_t cancels_sent = 0;
  std::uint64_t replaces_sent = 0;
  std::uint64_t acked = 0;   ///< New orders accepted by the exchange.
  std::uint64_t fills = 0;   ///< Fill reports, including partial ones.
  std::uint64_t filled = 0;  ///< Orders filled completely.
  std::uint64_t rejected = 0;
  std::uint64_t canceled = 0;  ///< Requested or not; including expired ones.
  std::uint64_t replaced = 0;
  std::uint64_t cancel_rejects = 0;                        ///< Of cancels and replaces.
  std::uint64_t outstanding = 0;                           ///< Requests without an answer so far.
  std::array<std::uint64_t, report_fault_count> faults{};  ///< By ReportFault.

  /// Adds another session's counts.
  void add(const FlowCounters& other) noexcept;

  /// Reports with any fault.
  [[nodiscard]] std::uint64_t faulty_reports() const noexcept;
};

/// An order according to its reports.
struct TrackedOrder {
  std::string_view cl_ord_id;  ///< The present one; valid until the tracker's next event.
  std::string_view symbol;     ///< Likewise.
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  OrderStatus status = OrderStatus::PendingNew;
  std::uint32_t pending_requests = 0;  ///< Cancels and replaces on their way.
  base::Decimal quantity;
  std::optional<base::Decimal> price;
  base::Decimal filled;
  base::Decimal leaves;
};

/// The requests of one session. One thread. Memory is bounded: once `requests_max` are known, the
/// oldest ended orders and replaced names are forgotten. Allocates while it grows.
class OrderTracker {
 public:
  explicit OrderTracker(std::size_t requests_max = 1'000'000);

  /// Reason why a request cannot be tracked, and so should not be sent.
  enum class Refusal : std::uint8_t {
    None,
    BadName,        ///< ClOrdID is empty, too long, or was used.
    UnknownOrder,   ///< OrigClOrdID names no order.
    OrderEnded,     ///< The order has ended.
    TooManyOrders,  ///< requests_max open or unanswered requests.
  };

  /// Registers a request that is being sent. It is tracked from now on unless refused.
  [[nodiscard]] Refusal on_sent(const OrderRequest& request);

  /// Processes an ExecutionReport at `now_ns`, on the scale of OrderRequest::due_ns.
  NewsOutcome on_execution(const ExecutionNews& news, std::int64_t now_ns);

  /// Processes an OrderCancelReject at `now_ns`: the request `cl_ord_id` changed nothing.
  NewsOutcome on_cancel_reject(std::string_view cl_ord_id, std::int64_t now_ns);

  /// Number of orders that may be cancelled or replaced: accepted, open, and without a pending
  /// request.
  [[nodiscard]] std::size_t idle_count() const noexcept { return idle_.size(); }

  [[nodiscard]] TrackedOrder idle_order(std::size_t index) const noexcept;

  [[nodiscard]] std::optional<TrackedOrder> find(std::string_view cl_ord_id) const noexcept;

  [[nodiscard]] std::size_t open_count() const noexcept { return open_count_; }

  [[nodiscard]] const FlowCounters& counters() const noexcept { return counters_; }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot no_slot = SlotPool<int>::no_slot;

  /// A sent message; the name table finds it by ClOrdID.
  struct Request {
    Slot order = no_slot;
    ClOrdIdTable::NameSlot name = ClOrdIdTable::no_name;
    RequestKind kind = RequestKind::New;
    bool answered = false;
    bool has_price = false;
    std::int64_t due_ns = 0;
    base::Decimal quantity;
    base::Decimal price;
  };

  struct Order {
    Slot present = no_slot;  ///< The request whose ClOrdID and terms are in effect.
    std::uint32_t requests = 0;
    std::uint32_t unanswered = 0;  ///< Cancels and replaces only.
    std::uint32_t symbol = 0;
    std::uint32_t idle_index = 0;  ///< Its index among the idle ones, if it is idle.
    bool idle = false;
    Side side = Side::Buy;
    OrderType type = OrderType::Limit;
    TimeInForce time_in_force = TimeInForce::Day;
    OrderStatus status = OrderStatus::PendingNew;
    base::Decimal filled;
    base::Decimal leaves;
  };

  [[nodiscard]] bool make_room();
  [[nodiscard]] Slot find_request(std::string_view cl_ord_id) const noexcept;
  [[nodiscard]] Slot add_request(const OrderRequest& request, Slot order);
  [[nodiscard]] std::uint32_t symbol_number(const std::string& symbol);
  [[nodiscard]] TrackedOrder view_of(const Order& order) const noexcept;
  std::optional<std::int64_t> answer(Request& request, std::int64_t now_ns) noexcept;
  [[nodiscard]] ReportFault check(const Order& order, const ExecutionNews& news) const noexcept;
  [[nodiscard]] ReportFault apply(Slot request, const ExecutionNews& news);
  [[nodiscard]] ReportFault apply_replace(Slot request, const ExecutionNews& news);
  void end(Order& order, OrderStatus status);
  void update_idle(Slot order);
  NewsOutcome faulty(ReportFault fault, std::optional<std::int64_t> round_trip_ns);

  ClOrdIdTable names_;
  SlotPool<Request> requests_;
  SlotPool<Order> orders_;
  std::vector<std::string> symbols_;
  std::vector<Slot> idle_;
  std::size_t open_count_ = 0;
  FlowCounters counters_;
};

}  // namespace affix::inline v0::tools::trade
