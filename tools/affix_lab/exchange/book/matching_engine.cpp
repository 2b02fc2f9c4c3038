// SPDX-License-Identifier: MIT
// Executes commands, and handles an order from its first to its last report.
#include "exchange/book/matching_engine.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::exchange {

MatchingEngine::MatchingEngine(const EngineLimits& limits, EventSink& sink)
    : sink_(sink),
      limits_(limits),
      names_(limits.cl_ord_ids_max),
      orders_(limits.cl_ord_ids_max),
      owners_(limits.owners_max) {
  AFFIX_ASSERT(limits.cl_ord_ids_max <= slots_per_order_id);
  AFFIX_ASSERT(limits.price_levels_max > 0);
}

std::expected<InstrumentId, base::Error> MatchingEngine::add_instrument(
    const Instrument& instrument) {
  std::expected<Steps, base::Error> steps = make_steps(instrument, limits_.cl_ord_ids_max);
  if (!steps) {
    return std::unexpected(std::move(steps.error()));
  }
  const auto id = static_cast<InstrumentId>(markets_.size());
  if (!instruments_.try_emplace(instrument.symbol, id).second) {
    return std::unexpected(base::Error{base::ErrorCode::AlreadyExists,
                                       "the symbol has a book already",
                                       "instrument " + instrument.symbol, "P124"});
  }
  markets_.push_back(Market{instrument, *steps, OrderBook(limits_.price_levels_max), true});
  return id;
}

void MatchingEngine::submit(const NewOrder& command) {
  AFFIX_ASSERT(command.owner < limits_.owners_max);
  if (const Reason reason = check_new_name(command.owner, command.cl_ord_id);
      reason != Reason::None) {
    return send_rejected(command, reason);
  }
  const std::optional<InstrumentId> instrument = find_instrument(command.symbol);
  if (!instrument) {
    return send_rejected(command, Reason::UnknownSymbol);
  }
  if (const Reason reason = check_kind(command); reason != Reason::None) {
    return send_rejected(command, reason);
  }
  const std::expected<Terms, Reason> terms =
      check_terms(markets_[*instrument].steps, command.type, command.quantity, command.price);
  if (!terms) {
    return send_rejected(command, terms.error());
  }
  Order* order = make_order(command, *instrument, *terms);
  if (order == nullptr) {
    return send_rejected(command, Reason::TooManyOrders);
  }
  ++counters_.accepted;
  send(report_of(*order));
  work(*order);
}

template <class Command>
MatchingEngine::Target MatchingEngine::target_of(const Command& command) noexcept {
  Target target;
  CancelReject& reject = target.reject;
  reject.owner = command.owner;
  reject.cl_ord_id = command.cl_ord_id;
  reject.orig_cl_ord_id = command.orig_cl_ord_id;
  reject.reason = check_new_name(command.owner, command.cl_ord_id);
  if (reject.reason == Reason::None) {
    const Found found = find_target(command.owner, command.orig_cl_ord_id, command.order_id,
                                    command.symbol, command.side);
    reject.reason = found.reason;
    target.order = found.order;
  }
  return target;
}

void MatchingEngine::cancel(const CancelOrder& command) {
  AFFIX_ASSERT(command.owner < limits_.owners_max);
  const auto [reject, target] = target_of(command);
  if (reject.reason != Reason::None) {
    return send_cancel_reject(reject, target);
  }
  Order& order = *target;
  sink_.on_book_changing(order.instrument);
  markets_[order.instrument].book.remove(order);
  // An engine full of open orders cannot store the cancel's own name, but that is no reason to
  // refuse a cancel.
  const ClOrdIdTable::NameSlot present = order.name;
  const bool named = give_name(order, command.cl_ord_id);
  const ClOrdIdTable::NameSlot own_name = std::exchange(order.name, present);
  end(order, OrderStatus::Canceled);
  if (named) {
    names_.retire(own_name);
  }
  ++counters_.canceled;
  ExecutionReport report = report_of(order);
  report.type = ExecType::Canceled;
  report.cl_ord_id = command.cl_ord_id;
  report.orig_cl_ord_id = names_.text(present);
  send(report);
}

void MatchingEngine::replace(const ReplaceOrder& command) {
  AFFIX_ASSERT(command.owner < limits_.owners_max);
  auto [reject, target] = target_of(command);
  reject.is_replace = true;
  if (reject.reason == Reason::None) {
    reject.reason = check_replace(*target, command);
  }
  if (reject.reason != Reason::None) {
    return send_cancel_reject(reject, target);
  }
  Order& order = *target;
  Market& market = markets_[order.instrument];
  const std::expected<Terms, Reason> terms =
      check_terms(market.steps, order.type, command.quantity, command.price);
  const ClOrdIdTable::NameSlot old_name = order.name;
  if (!terms) {
    reject.reason = terms.error();
  } else if (terms->quantity < order.filled) {
    reject.reason = Reason::QuantityBelowFilled;
  } else if (!give_name(order, command.cl_ord_id)) {
    reject.reason = Reason::TooManyOrders;
  }
  if (reject.reason != Reason::None) {
    return send_cancel_reject(reject, &order);
  }
  names_.retire(old_name);
  sink_.on_book_changing(order.instrument);

  const bool complete = terms->quantity == order.filled;
  const bool keeps_place =
      terms->price == order.price && terms->quantity <= order.quantity && !complete;
  if (keeps_place) {
    market.book.reduce(order, order.quantity - terms->quantity);
  } else {
    market.book.remove(order);
    order.price = terms->price;
    order.quantity = terms->quantity;
  }
  if (complete) {
    end(order, OrderStatus::Filled);
  }
  ++counters_.replaced;
  ExecutionReport report = report_of(order);
  report.type = ExecType::Replaced;
  report.orig_cl_ord_id = names_.text(old_name);
  send(report);
  if (!complete && !keeps_place) {
    work(order);
  }
}

void MatchingEngine::report_status(const StatusRequest& command) {
  AFFIX_ASSERT(command.owner < limits_.owners_max);
  Found found = find_order(command.owner, command.cl_ord_id, command.order_id);
  if (found.order != nullptr &&
      (command.side != found.order->side ||
       (!command.symbol.empty() && command.symbol != symbol(found.order->instrument)))) {
    found = {nullptr, Reason::OrderMismatch};
  }
  ExecutionReport report;
  if (found.order != nullptr) {
    report = report_of(*found.order);
  } else {
    report.status = OrderStatus::Rejected;
    report.reason = found.reason;
    report.owner = command.owner;
    report.cl_ord_id = command.cl_ord_id;
    report.symbol = command.symbol;
    report.side = command.side;
  }
  report.type = ExecType::OrderStatus;
  send(report);
}

void MatchingEngine::owner_gone(OwnerId owner, Reason reason) {
  AFFIX_ASSERT(owner < limits_.owners_max);
  while (Order* order = owners_[owner].first) {
    sink_.on_book_changing(order->instrument);
    markets_[order->instrument].book.remove(*order);
    end_unasked(*order, ExecType::Canceled, OrderStatus::Canceled, reason);
  }
}

void MatchingEngine::end_day() {
  for (const OwnerOrders& owned : owners_) {
    for (Order* order = owned.first; order != nullptr;) {
      Order* const next = order->owner_next;
      if (order->time_in_force == TimeInForce::Day) {
        sink_.on_book_changing(order->instrument);
        markets_[order->instrument].book.remove(*order);
        end_unasked(*order, ExecType::Expired, OrderStatus::Expired, Reason::EndOfDay);
      }
      order = next;
    }
  }
}

void MatchingEngine::close_instrument(InstrumentId instrument) {
  markets_[instrument].open = false;
  for (const OwnerOrders& owned : owners_) {
    for (Order* order = owned.first; order != nullptr;) {
      Order* const next = order->owner_next;
      if (order->instrument == instrument) {
        sink_.on_book_changing(instrument);
        markets_[instrument].book.remove(*order);
        end_unasked(*order, ExecType::Canceled, OrderStatus::Canceled, Reason::SymbolClosed);
      }
      order = next;
    }
  }
}

std::optional<InstrumentId> MatchingEngine::known_instrument(
    std::string_view symbol) const noexcept {
  const auto found = instruments_.find(symbol);
  return found == instruments_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<InstrumentId> MatchingEngine::find_instrument(
    std::string_view symbol) const noexcept {
  const std::optional<InstrumentId> known = known_instrument(symbol);
  return known && markets_[*known].open ? known : std::nullopt;
}

std::string_view MatchingEngine::symbol(InstrumentId instrument) const noexcept {
  return markets_[instrument].instrument.symbol;
}

std::size_t MatchingEngine::best_levels(InstrumentId instrument, Side side,
                                        std::span<BookLevel> out) const noexcept {
  const Market& market = markets_[instrument];
  const BookSide& book_side = is_buy(side) ? market.book.bids() : market.book.offers();
  const std::span<const PriceLevel> levels = book_side.levels();
  const std::size_t count = std::min(levels.size(), out.size());
  for (std::size_t index = 0; index < count; ++index) {
    const PriceLevel& level = levels[levels.size() - 1 - index];
    out[index] = {market.steps.price(book_side.price_of(level.rank)),
                  market.steps.quantity(level.quantity), level.order_count};
  }
  return count;
}

std::uint64_t MatchingEngine::book_version(InstrumentId instrument) const noexcept {
  return markets_[instrument].book.version();
}

// Checks.

Reason MatchingEngine::check_new_name(OwnerId owner, std::string_view cl_ord_id) const noexcept {
  if (cl_ord_id.empty()) {
    return Reason::MissingClOrdId;
  }
  if (cl_ord_id.size() > cl_ord_id_bytes_max) {
    return Reason::ClOrdIdTooLong;
  }
  return names_.find(owner, cl_ord_id) == ClOrdIdTable::no_name ? Reason::None
                                                                : Reason::DuplicateClOrdId;
}

Reason MatchingEngine::check_kind(const NewOrder& command) noexcept {
  if (!is_supported(command.side)) {
    return Reason::UnsupportedSide;
  }
  if (!is_supported(command.type)) {
    return Reason::UnsupportedOrderType;
  }
  return is_supported(command.time_in_force) ? Reason::None : Reason::UnsupportedTimeInForce;
}

std::expected<MatchingEngine::Terms, Reason> MatchingEngine::check_terms(
    const Steps& steps, OrderType type, const std::optional<base::Decimal>& quantity,
    const std::optional<base::Decimal>& price) noexcept {
  if (!quantity) {
    return std::unexpected(Reason::MissingQuantity);
  }
  const std::expected<std::int64_t, Reason> quantity_units = steps.quantity_units(*quantity);
  if (!quantity_units) {
    return std::unexpected(quantity_units.error());
  }
  if (type == OrderType::Market) {
    return price ? std::expected<Terms, Reason>(std::unexpected(Reason::PriceOnMarketOrder))
                 : Terms{*quantity_units, 0};
  }
  if (!price) {
    return std::unexpected(Reason::MissingPrice);
  }
  const std::expected<std::int64_t, Reason> price_units = steps.price_units(*price);
  if (!price_units) {
    return std::unexpected(price_units.error());
  }
  return Terms{*quantity_units, *price_units};
}

Reason MatchingEngine::check_replace(const Order& order, const ReplaceOrder& command) noexcept {
  const bool other_life = command.time_in_force && *command.time_in_force != order.time_in_force;
  return command.type != order.type || other_life ? Reason::ImmutableTerms : Reason::None;
}

Order* MatchingEngine::order_by_id(OrderId order_id) noexcept {
  const std::uint32_t slot = slot_of(order_id);
  if (order_id == 0 || slot >= orders_.made() || orders_[slot].order_id != order_id) {
    return nullptr;
  }
  return &orders_[slot];
}

MatchingEngine::Found MatchingEngine::find_order(OwnerId owner, std::string_view cl_ord_id,
                                                 std::optional<OrderId> order_id) noexcept {
  Order* by_id = nullptr;
  if (order_id) {
    by_id = order_by_id(*order_id);
    if (by_id == nullptr) {
      return {nullptr, Reason::UnknownOrder};
    }
    if (by_id->owner != owner) {
      return {nullptr, Reason::WrongOwner};
    }
    if (cl_ord_id.empty()) {
      return {by_id, Reason::None};
    }
  }
  const ClOrdIdTable::NameSlot name = names_.find(owner, cl_ord_id);
  if (name == ClOrdIdTable::no_name) {
    return {nullptr, Reason::UnknownOrder};
  }
  Order* order = &orders_[names_.order(name)];
  if (by_id != nullptr && by_id != order) {
    return {nullptr, Reason::OrderMismatch};
  }
  return {order, Reason::None};
}

MatchingEngine::Found MatchingEngine::find_target(OwnerId owner, std::string_view orig_cl_ord_id,
                                                  std::optional<OrderId> order_id,
                                                  std::string_view symbol_given,
                                                  Side side) noexcept {
  Found found = find_order(owner, orig_cl_ord_id, order_id);
  if (found.order == nullptr) {
    return found;
  }
  const Order& order = *found.order;
  if (side != order.side || (!symbol_given.empty() && symbol_given != symbol(order.instrument))) {
    found.reason = Reason::OrderMismatch;
  } else if (!is_open(order.status)) {
    found.reason = Reason::TooLateToCancel;
  } else if (!orig_cl_ord_id.empty() && names_.text(order.name) != orig_cl_ord_id) {
    found.reason = Reason::SupersededClOrdId;
  }
  return found;
}

// The life of an order.

bool MatchingEngine::give_name(Order& order, std::string_view cl_ord_id) {
  while (names_.size() == names_.capacity()) {
    const std::optional<ClOrdIdTable::OrderSlot> forgotten = names_.forget_oldest();
    if (!forgotten) {
      return false;
    }
    release_name(*forgotten);
  }
  order.name = names_.insert(order.owner, cl_ord_id, order.slot);
  ++order.names;
  return true;
}

void MatchingEngine::release_name(ClOrdIdTable::OrderSlot slot) noexcept {
  Order& order = orders_[slot];
  // The present name of an open order is never retired, so an order without names has ended.
  if (--order.names == 0) {
    order.order_id = 0;
    orders_.give_back(slot);
  }
}

Order* MatchingEngine::make_order(const NewOrder& command, InstrumentId instrument,
                                  const Terms& terms) {
  // Every order has a name, so when the order pool is full, the name table is full: makes room
  // there first.
  if (orders_.in_use() == orders_.capacity()) {
    const std::optional<ClOrdIdTable::OrderSlot> forgotten = names_.forget_oldest();
    if (!forgotten) {
      return nullptr;
    }
    release_name(*forgotten);
  }
  const SlotPool<Order>::Slot slot = orders_.take();
  AFFIX_ASSERT(slot != SlotPool<Order>::no_slot);
  Order& order = orders_[slot];
  order = Order{};
  order.owner = command.owner;
  order.slot = slot;
  if (!give_name(order, command.cl_ord_id)) {
    orders_.give_back(slot);
    return nullptr;
  }
  order.order_id = ++last_order_ * slots_per_order_id + slot;
  order.instrument = instrument;
  order.price = terms.price;
  order.quantity = terms.quantity;
  order.side = command.side;
  order.type = command.type;
  order.time_in_force = command.time_in_force;
  enter_owner(order);
  return &order;
}

void MatchingEngine::enter_owner(Order& order) noexcept {
  OwnerOrders& owned = owners_[order.owner];
  order.owner_prev = owned.last;
  (owned.last != nullptr ? owned.last->owner_next : owned.first) = &order;
  owned.last = &order;
  ++open_orders_;
}

void MatchingEngine::work(Order& order) {
  OrderBook& book = markets_[order.instrument].book;
  sink_.on_book_changing(order.instrument);
  if (order.time_in_force == TimeInForce::FillOrKill && !book.can_fill(order)) {
    return end_unasked(order, ExecType::Canceled, OrderStatus::Canceled, Reason::NotFillableWhole);
  }
  trade(order);
  if (order.unfilled() == 0) {
    return end(order, OrderStatus::Filled);
  }
  const bool rests =
      order.type == OrderType::Limit && (order.time_in_force == TimeInForce::Day ||
                                         order.time_in_force == TimeInForce::GoodTillCancel);
  if (!rests) {
    return end_unasked(order, ExecType::Canceled, OrderStatus::Canceled, Reason::NothingToMatch);
  }
  if (!book.rest(order)) {
    end_unasked(order, ExecType::Canceled, OrderStatus::Canceled, Reason::TooManyPriceLevels);
  }
}

void MatchingEngine::trade(Order& order) {
  Market& market = markets_[order.instrument];
  market.book.match(order, [this, &order, &market](Order& resting, std::int64_t units) {
    ++last_match_id_;
    ++counters_.trades;
    send_trade(resting, units, resting.price);
    send_trade(order, units, resting.price);
    sink_.on_trade({.instrument = order.instrument,
                    .symbol = market.instrument.symbol,
                    .match_id = last_match_id_,
                    .price = market.steps.price(resting.price),
                    .quantity = market.steps.quantity(units),
                    .aggressor = order.side});
    if (resting.unfilled() == 0) {
      end(resting, OrderStatus::Filled);
    }
  });
}

void MatchingEngine::end(Order& order, OrderStatus status) noexcept {
  order.status = status;
  OwnerOrders& owned = owners_[order.owner];
  (order.owner_prev != nullptr ? order.owner_prev->owner_next : owned.first) = order.owner_next;
  (order.owner_next != nullptr ? order.owner_next->owner_prev : owned.last) = order.owner_prev;
  order.owner_prev = nullptr;
  order.owner_next = nullptr;
  names_.retire(order.name);
  --open_orders_;
}

void MatchingEngine::end_unasked(Order& order, ExecType type, OrderStatus status, Reason reason) {
  end(order, status);
  ++counters_.canceled;
  ExecutionReport report = report_of(order);
  report.type = type;
  report.reason = reason;
  send(report);
}

// Reports.

ExecutionReport MatchingEngine::report_of(const Order& order) const noexcept {
  const Market& market = markets_[order.instrument];
  const Steps& steps = market.steps;
  ExecutionReport report;
  report.status = order.status;
  report.owner = order.owner;
  report.order_id = order.order_id;
  report.cl_ord_id = names_.text(order.name);
  report.symbol = market.instrument.symbol;
  report.side = order.side;
  report.order_type = order.type;
  report.time_in_force = order.time_in_force;
  report.quantity = steps.quantity(order.quantity);
  if (order.type == OrderType::Limit) {
    report.price = steps.price(order.price);
  }
  report.leaves = steps.quantity(order.leaves());
  report.filled = steps.quantity(order.filled);
  report.notional = {order.notional, steps.price_exponent + steps.quantity_exponent};
  return report;
}

void MatchingEngine::send(ExecutionReport report) {
  if (report.type != ExecType::OrderStatus) {
    report.exec_id = ++last_exec_id_;
  }
  sink_.on_execution(report);
}

void MatchingEngine::send_trade(const Order& order, std::int64_t units, std::int64_t price) {
  const Steps& steps = markets_[order.instrument].steps;
  ExecutionReport report = report_of(order);
  report.type = ExecType::Trade;
  report.match_id = last_match_id_;
  report.last_quantity = steps.quantity(units);
  report.last_price = steps.price(price);
  send(report);
}

void MatchingEngine::send_rejected(const NewOrder& command, Reason reason) {
  ++counters_.rejected;
  ExecutionReport report;
  report.type = ExecType::Rejected;
  report.status = OrderStatus::Rejected;
  report.reason = reason;
  report.owner = command.owner;
  report.cl_ord_id = command.cl_ord_id;
  report.symbol = command.symbol;
  report.side = command.side;
  report.order_type = command.type;
  report.time_in_force = command.time_in_force;
  report.quantity = command.quantity;
  report.price = command.price;
  send(report);
}

void MatchingEngine::send_cancel_reject(CancelReject reject, const Order* order) {
  ++counters_.cancel_rejects;
  if (order != nullptr) {
    reject.status = order->status;
    reject.order_id = order->order_id;
  }
  sink_.on_cancel_reject(reject);
}

}  // namespace affix::inline v0::tools::exchange
