// SPDX-License-Identifier: MIT
// Converts a matching engine to values and back.
#include "exchange/book/matching_engine.hpp"

#include <algorithm>

namespace affix::inline v0::tools::exchange {

namespace {

base::Error contradiction(const char* what) {
  return base::Error{base::ErrorCode::Damaged,
                     std::string("the saved book contradicts itself: ") + what,
                     {},
                     "P122"};
}

}  // namespace

SavedBook MatchingEngine::save() const {
  SavedBook saved;
  saved.last_order = last_order_;
  saved.last_exec_id = last_exec_id_;
  saved.last_match_id = last_match_id_;
  saved.order_slots = static_cast<std::uint32_t>(orders_.made());
  saved.free_slots = orders_.free_slots();
  const auto save_order = [&saved](const Order& order) {
    saved.orders.push_back({.order_id = order.order_id,
                            .owner = order.owner,
                            .instrument = order.instrument,
                            .price = order.price,
                            .quantity = order.quantity,
                            .filled = order.filled,
                            .notional = order.notional,
                            .side = order.side,
                            .type = order.type,
                            .time_in_force = order.time_in_force,
                            .status = order.status});
  };
  for (const Market& market : markets_) {
    saved.instruments.push_back({market.instrument.symbol, market.open});
    for (const BookSide* const side : {&market.book.bids(), &market.book.offers()}) {
      for (const PriceLevel& level : side->levels()) {
        for (const Order* order = level.first; order != nullptr; order = order->queue_next) {
          save_order(*order);
        }
      }
    }
  }
  names_.each_retired([&](ClOrdIdTable::NameSlot name) {
    const Order& order = orders_[names_.order(name)];
    saved.names.push_back(
        {std::string(names_.text(name)), order.order_id, order.name == name, true});
  });
  std::vector<bool> is_free(orders_.made(), false);
  for (const SlotPool<Order>::Slot slot : orders_.free_slots()) {
    is_free[slot] = true;
  }
  for (SlotPool<Order>::Slot slot = 0; slot < orders_.made(); ++slot) {
    if (is_free[slot]) {
      continue;
    }
    const Order& order = orders_[slot];
    if (is_open(order.status)) {
      // Once a command has been answered, every open order rests.
      saved.names.push_back({std::string(names_.text(order.name)), order.order_id, true, false});
    } else {
      save_order(order);
    }
  }
  return saved;
}

std::expected<void, base::Error> MatchingEngine::restore(const SavedBook& saved) {
  if (last_order_ != 0 || !markets_.empty() ||
      !orders_.restore(saved.order_slots, saved.free_slots)) {
    return std::unexpected(contradiction("slots of orders"));
  }
  last_order_ = saved.last_order;
  last_exec_id_ = saved.last_exec_id;
  last_match_id_ = saved.last_match_id;
  for (const SavedInstrument& instrument : saved.instruments) {
    Instrument described;
    described.symbol = instrument.symbol;
    const auto added = add_instrument(described);
    if (!added) {
      return std::unexpected(added.error());
    }
    markets_[*added].open = instrument.open;
  }
  std::vector<bool> used(saved.order_slots, false);
  for (const std::uint32_t slot : saved.free_slots) {
    used[slot] = true;
    orders_[slot] = Order{};
  }
  std::vector<Order*> open;
  for (const SavedOrder& kept : saved.orders) {
    const auto slot = slot_of(kept.order_id);
    if (slot >= saved.order_slots || used[slot] || kept.owner >= limits_.owners_max ||
        kept.instrument >= markets_.size()) {
      return std::unexpected(contradiction("an order"));
    }
    used[slot] = true;
    Order& order = orders_[slot];
    order = Order{};
    order.order_id = kept.order_id;
    order.owner = kept.owner;
    order.instrument = kept.instrument;
    order.slot = slot;
    order.price = kept.price;
    order.quantity = kept.quantity;
    order.filled = kept.filled;
    order.notional = kept.notional;
    order.side = kept.side;
    order.type = kept.type;
    order.time_in_force = kept.time_in_force;
    order.status = kept.status;
    if (is_open(order.status)) {
      if (!markets_[order.instrument].book.rest(order)) {
        return std::unexpected(contradiction("price levels"));
      }
      open.push_back(&order);
    }
  }
  if (std::find(used.begin(), used.end(), false) != used.end()) {
    return std::unexpected(contradiction("an order is missing"));
  }
  // An OrderId begins with a running number, so this is the order of arrival.
  std::sort(open.begin(), open.end(),
            [](const Order* left, const Order* right) { return left->order_id < right->order_id; });
  for (Order* const order : open) {
    enter_owner(*order);
  }
  for (const SavedName& kept : saved.names) {
    Order* const order = order_by_id(kept.order_id);
    if (order == nullptr || kept.text.empty() || kept.text.size() > cl_ord_id_bytes_max) {
      return std::unexpected(contradiction("a ClOrdID"));
    }
    const ClOrdIdTable::NameSlot name = names_.insert(order->owner, kept.text, order->slot);
    if (name == ClOrdIdTable::no_name) {
      return std::unexpected(contradiction("too many ClOrdIDs"));
    }
    if (kept.present || order->name == ClOrdIdTable::no_name) {
      order->name = name;
    }
    ++order->names;
    if (kept.retired) {
      names_.retire(name);
    }
  }
  const auto nameless = [this](const SavedOrder& kept) {
    return order_by_id(kept.order_id)->names == 0;
  };
  if (std::any_of(saved.orders.begin(), saved.orders.end(), nameless)) {
    return std::unexpected(contradiction("an order without a ClOrdID"));
  }
  return {};
}

}  // namespace affix::inline v0::tools::exchange
