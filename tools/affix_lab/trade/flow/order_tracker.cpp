// SPDX-License-Identifier: MIT
// Follows each order by its chain of ClOrdIDs and checks every report against its state.
#include "trade/flow/order_tracker.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <numeric>

namespace affix::inline v0::tools::trade {

namespace {

// A session's own names: one table per session, so every name has the same owner.
constexpr OwnerId us = 0;

std::optional<base::Decimal> exact_sum(base::Decimal left, base::Decimal right) noexcept {
  const std::int32_t exponent = std::min(left.exponent, right.exponent);
  const std::optional<std::int64_t> left_units = left.mantissa_at(exponent);
  const std::optional<std::int64_t> right_units = right.mantissa_at(exponent);
  std::int64_t sum = 0;
  if (!left_units || !right_units || __builtin_add_overflow(*left_units, *right_units, &sum)) {
    return std::nullopt;
  }
  return base::Decimal{sum, exponent};
}

bool is_fill(ExecType type) noexcept {
  return type == ExecType::Trade || type == ExecType::PartialFill || type == ExecType::Fill;
}

}  // namespace

std::string_view to_text(ReportFault fault) noexcept {
  switch (fault) {
    case ReportFault::None:
      return "none";
    case ReportFault::UnknownOrder:
      return "report for an order that is not ours";
    case ReportFault::DuplicateFill:
      return "fill reported twice";
    case ReportFault::MissedFill:
      return "fill report lost";
    case ReportFault::Overfill:
      return "filled more than ordered";
    case ReportFault::WrongSum:
      return "LeavesQty and CumQty do not add up";
    case ReportFault::WrongQuantity:
      return "OrderQty is not what was ordered";
    case ReportFault::StatusMismatch:
      return "OrdStatus does not fit the quantities";
    case ReportFault::AfterEnd:
      return "report after the order's end";
    case ReportFault::UnexpectedReply:
      return "reply to something that was not asked";
  }
  return "unknown";
}

void FlowCounters::add(const FlowCounters& other) noexcept {
  orders_sent += other.orders_sent;
  cancels_sent += other.cancels_sent;
  replaces_sent += other.replaces_sent;
  acked += other.acked;
  fills += other.fills;
  filled += other.filled;
  rejected += other.rejected;
  canceled += other.canceled;
  replaced += other.replaced;
  cancel_rejects += other.cancel_rejects;
  outstanding += other.outstanding;
  for (std::size_t fault = 0; fault < faults.size(); ++fault) {
    faults[fault] += other.faults[fault];
  }
}

std::uint64_t FlowCounters::faulty_reports() const noexcept {
  return std::accumulate(faults.begin(), faults.end(), std::uint64_t{0});
}

OrderTracker::OrderTracker(std::size_t requests_max)
    : names_(requests_max), requests_(requests_max), orders_(requests_max) {}

OrderTracker::Refusal OrderTracker::on_sent(const OrderRequest& request) {
  if (request.cl_ord_id.empty() || request.cl_ord_id.size() > cl_ord_id_bytes_max ||
      names_.find(us, request.cl_ord_id) != ClOrdIdTable::no_name) {
    return Refusal::BadName;
  }
  Slot order_slot = no_slot;
  if (request.kind != RequestKind::New) {
    const Slot original = find_request(request.orig_cl_ord_id);
    if (original == no_slot) {
      return Refusal::UnknownOrder;
    }
    order_slot = requests_[original].order;
    if (!is_open(orders_[order_slot].status)) {
      return Refusal::OrderEnded;
    }
  }
  // The order of a cancel or replace is open, so its present name is kept and the order stays where
  // it is.
  if (!make_room()) {
    return Refusal::TooManyOrders;
  }
  if (request.kind == RequestKind::New) {
    order_slot = orders_.take();
    AFFIX_ASSERT(order_slot != no_slot);
    Order& order = orders_[order_slot];
    order = Order{};
    order.symbol = symbol_number(request.symbol);
    order.side = request.side;
    order.type = request.type;
    order.time_in_force = request.time_in_force;
    order.leaves = request.quantity;
    order.present = add_request(request, order_slot);
    ++open_count_;
    ++counters_.orders_sent;
  } else {
    static_cast<void>(add_request(request, order_slot));
    ++orders_[order_slot].unanswered;
    ++(request.kind == RequestKind::Cancel ? counters_.cancels_sent : counters_.replaces_sent);
  }
  ++counters_.outstanding;
  update_idle(order_slot);
  return Refusal::None;
}

NewsOutcome OrderTracker::on_execution(const ExecutionNews& news, std::int64_t now_ns) {
  const Slot slot = find_request(news.cl_ord_id);
  if (slot == no_slot) {
    return faulty(ReportFault::UnknownOrder, std::nullopt);
  }
  const bool is_answer =
      news.type != ExecType::PendingNew && news.type != ExecType::PendingCancel &&
      news.type != ExecType::PendingReplace && news.type != ExecType::OrderStatus;
  const bool first_answer = !requests_[slot].answered;
  std::optional<std::int64_t> round_trip_ns;
  if (is_answer) {
    round_trip_ns = answer(requests_[slot], now_ns);
    if (first_answer && requests_[slot].kind == RequestKind::New &&
        news.type != ExecType::Rejected) {
      ++counters_.acked;
    }
  }
  const Slot order = requests_[slot].order;
  const ReportFault fault = news.type == ExecType::Replaced && !first_answer
                                ? ReportFault::UnexpectedReply
                                : apply(slot, news);
  // An answered cancel's own name is no longer needed; a replace's is, if it became the present
  // one.
  if (is_answer && first_answer && requests_[slot].kind != RequestKind::New &&
      orders_[order].present != slot) {
    names_.retire(requests_[slot].name);
  }
  update_idle(order);
  return fault == ReportFault::None ? NewsOutcome{ReportFault::None, round_trip_ns}
                                    : faulty(fault, round_trip_ns);
}

NewsOutcome OrderTracker::on_cancel_reject(std::string_view cl_ord_id, std::int64_t now_ns) {
  const Slot slot = find_request(cl_ord_id);
  if (slot == no_slot) {
    return faulty(ReportFault::UnknownOrder, std::nullopt);
  }
  Request& request = requests_[slot];
  if (request.kind == RequestKind::New || request.answered) {
    return faulty(ReportFault::UnexpectedReply, std::nullopt);
  }
  const std::optional<std::int64_t> round_trip_ns = answer(request, now_ns);
  ++counters_.cancel_rejects;
  names_.retire(request.name);
  update_idle(request.order);
  return {ReportFault::None, round_trip_ns};
}

TrackedOrder OrderTracker::idle_order(std::size_t index) const noexcept {
  return view_of(orders_[idle_[index]]);
}

std::optional<TrackedOrder> OrderTracker::find(std::string_view cl_ord_id) const noexcept {
  const Slot request = find_request(cl_ord_id);
  return request == no_slot ? std::nullopt
                            : std::optional(view_of(orders_[requests_[request].order]));
}

bool OrderTracker::make_room() {
  while (names_.size() == names_.capacity()) {
    const std::optional<Slot> request = names_.forget_oldest();
    if (!request) {
      return false;
    }
    const Slot order = requests_[*request].order;
    requests_.give_back(*request);
    if (orders_[order].present == *request) {
      orders_[order].present = no_slot;
    }
    // The present name of an open order is not retired, so an order without requests has ended.
    if (--orders_[order].requests == 0) {
      orders_.give_back(order);
    }
  }
  return true;
}

OrderTracker::Slot OrderTracker::find_request(std::string_view cl_ord_id) const noexcept {
  const ClOrdIdTable::NameSlot name = names_.find(us, cl_ord_id);
  return name == ClOrdIdTable::no_name ? no_slot : names_.order(name);
}

OrderTracker::Slot OrderTracker::add_request(const OrderRequest& request, Slot order) {
  const Slot slot = requests_.take();
  AFFIX_ASSERT(slot != no_slot);
  Request& added = requests_[slot];
  added = Request{};
  added.order = order;
  added.name = names_.insert(us, request.cl_ord_id, slot);
  AFFIX_ASSERT(added.name != ClOrdIdTable::no_name);
  added.kind = request.kind;
  added.due_ns = request.due_ns;
  added.quantity = request.quantity;
  added.has_price = request.price.has_value();
  added.price = request.price.value_or(base::Decimal{});
  ++orders_[order].requests;
  return slot;
}

std::uint32_t OrderTracker::symbol_number(const std::string& symbol) {
  // A flow has few symbols: comparing each is faster than hashing.
  const auto found = std::find(symbols_.begin(), symbols_.end(), symbol);
  const auto number = static_cast<std::uint32_t>(found - symbols_.begin());
  if (found == symbols_.end()) {
    symbols_.push_back(symbol);
  }
  return number;
}

TrackedOrder OrderTracker::view_of(const Order& order) const noexcept {
  TrackedOrder view;
  view.symbol = symbols_[order.symbol];
  view.side = order.side;
  view.type = order.type;
  view.time_in_force = order.time_in_force;
  view.status = order.status;
  view.pending_requests = order.unanswered;
  view.filled = order.filled;
  view.leaves = order.leaves;
  // An ended order can outlive its name while the answer to its last cancel is on its way.
  if (order.present != no_slot) {
    const Request& present = requests_[order.present];
    view.cl_ord_id = names_.text(present.name);
    view.quantity = present.quantity;
    view.price = present.has_price ? std::optional(present.price) : std::nullopt;
  }
  return view;
}

std::optional<std::int64_t> OrderTracker::answer(Request& request, std::int64_t now_ns) noexcept {
  if (request.answered) {
    return std::nullopt;
  }
  request.answered = true;
  --counters_.outstanding;
  if (request.kind != RequestKind::New) {
    --orders_[request.order].unanswered;
  }
  return now_ns - request.due_ns;
}

ReportFault OrderTracker::check(const Order& order, const ExecutionNews& news) const noexcept {
  const base::Decimal ordered = requests_[order.present].quantity;
  if (news.filled > ordered) {
    return ReportFault::Overfill;
  }
  if (is_fill(news.type)) {
    const std::optional<base::Decimal> expected = exact_sum(order.filled, news.last_quantity);
    if (news.filled <= order.filled) {
      return ReportFault::DuplicateFill;
    }
    if (!expected || *expected != news.filled) {
      return ReportFault::MissedFill;
    }
  } else if (news.filled != order.filled) {
    return news.filled > order.filled ? ReportFault::MissedFill : ReportFault::WrongSum;
  }
  if (news.quantity && *news.quantity != ordered) {
    return ReportFault::WrongQuantity;
  }
  if (is_open(news.status) || news.status == OrderStatus::Filled) {
    const std::optional<base::Decimal> sum = exact_sum(news.filled, news.leaves);
    if (!sum || *sum != ordered) {
      return ReportFault::WrongSum;
    }
  } else if (!news.leaves.zero()) {
    return ReportFault::WrongSum;
  }
  const bool fits = news.status == OrderStatus::Filled ? news.leaves.zero()
                    : news.status == OrderStatus::PartiallyFilled
                        ? !news.filled.zero() && !news.leaves.zero()
                    : news.status == OrderStatus::New ? news.filled.zero()
                                                      : true;
  return fits ? ReportFault::None : ReportFault::StatusMismatch;
}

ReportFault OrderTracker::apply(Slot slot, const ExecutionNews& news) {
  Order& order = orders_[requests_[slot].order];
  if (news.type == ExecType::Rejected) {
    if (slot != order.present || !is_open(order.status)) {
      return ReportFault::UnexpectedReply;
    }
    ++counters_.rejected;
    order.leaves = {};
    end(order, OrderStatus::Rejected);
    return ReportFault::None;
  }
  if (news.type == ExecType::OrderStatus) {
    // The answer to a query, not an event. It may describe an earlier state than the present one.
    return ReportFault::None;
  }
  if (!is_open(order.status)) {
    return is_fill(news.type) && news.filled <= order.filled ? ReportFault::DuplicateFill
                                                             : ReportFault::AfterEnd;
  }
  if (news.type == ExecType::Replaced) {
    return apply_replace(slot, news);
  }
  const ReportFault fault = check(order, news);
  if (fault == ReportFault::DuplicateFill) {
    return fault;
  }
  counters_.fills += is_fill(news.type) ? 1U : 0U;
  // The exchange's state counts even if it is contradictory: the exchange, not we, holds the order.
  order.filled = std::max(order.filled, news.filled);
  order.leaves = news.leaves;
  if (is_open(news.status)) {
    // Pending states describe requests on their way; the order's own state is unchanged.
    const bool pending = news.status == OrderStatus::PendingCancel ||
                         news.status == OrderStatus::PendingReplace ||
                         news.status == OrderStatus::PendingNew;
    order.status = pending ? order.status : news.status;
    return fault;
  }
  counters_.filled += news.status == OrderStatus::Filled ? 1U : 0U;
  counters_.canceled +=
      news.status == OrderStatus::Canceled || news.status == OrderStatus::Expired ? 1U : 0U;
  counters_.rejected += news.status == OrderStatus::Rejected ? 1U : 0U;
  end(order, news.status);
  return fault;
}

ReportFault OrderTracker::apply_replace(Slot slot, const ExecutionNews& news) {
  Order& order = orders_[requests_[slot].order];
  if (requests_[slot].kind != RequestKind::Replace) {
    return ReportFault::UnexpectedReply;
  }
  names_.retire(requests_[order.present].name);
  order.present = slot;
  ++counters_.replaced;
  const ReportFault fault = check(order, news);
  order.leaves = news.leaves;
  if (is_open(news.status)) {
    // FIX.4.2 sends Replaced; afterwards the order's state follows from its fills.
    order.status = order.filled.zero() ? OrderStatus::New : OrderStatus::PartiallyFilled;
  } else {
    counters_.filled += news.status == OrderStatus::Filled ? 1U : 0U;
    end(order, news.status);
  }
  return fault;
}

void OrderTracker::end(Order& order, OrderStatus status) {
  order.status = status;
  --open_count_;
  Request& present = requests_[order.present];
  if (!present.answered) {
    // The exchange has only named the order by a later request; in any case the order had arrived.
    present.answered = true;
    --counters_.outstanding;
  }
  names_.retire(present.name);
}

void OrderTracker::update_idle(Slot slot) {
  Order& order = orders_[slot];
  const bool idle = is_open(order.status) && order.status != OrderStatus::PendingNew &&
                    order.unanswered == 0 && order.type == OrderType::Limit;
  if (idle == order.idle) {
    return;
  }
  order.idle = idle;
  if (idle) {
    order.idle_index = static_cast<std::uint32_t>(idle_.size());
    idle_.push_back(slot);
    return;
  }
  // The last one takes the free place: the order within the list does not matter, as callers pick
  // at random.
  const Slot moved = idle_.back();
  idle_[order.idle_index] = moved;
  orders_[moved].idle_index = order.idle_index;
  idle_.pop_back();
}

NewsOutcome OrderTracker::faulty(ReportFault fault, std::optional<std::int64_t> round_trip_ns) {
  ++counters_.faults[static_cast<std::size_t>(fault)];
  return {fault, round_trip_ns};
}

}  // namespace affix::inline v0::tools::trade
