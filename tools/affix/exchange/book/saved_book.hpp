// SPDX-License-Identifier: MIT
// All that a matching engine knows, as values in order: what a snapshot holds. An engine made from
// it answers every later command as the one that was saved would have.
#pragma once

#include "exchange/book/commands.hpp"
#include "exchange/book/events.hpp"
#include "exchange/book/instrument.hpp"
#include "order/order_terms.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::exchange {

struct SavedInstrument {
  std::string symbol;
  bool open = true;  ///< It is traded; a closed one is known by its number only.
};

/// An order that is open, or that has ended and whose names are still remembered.
struct SavedOrder {
  OrderId order_id = 0;
  OwnerId owner = 0;
  InstrumentId instrument = 0;
  std::int64_t price = 0;  ///< In units of its instrument, as quantity and filled.
  std::int64_t quantity = 0;
  std::int64_t filled = 0;
  WideInteger notional = 0;
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  OrderStatus status = OrderStatus::New;
};

/// A ClOrdID that means an order.
struct SavedName {
  std::string text;
  OrderId order_id = 0;
  bool present = false;  ///< The order's own, not that of a cancel or of a time before a replace.
  bool retired = false;  ///< It may be forgotten, in the order of the list.
};

struct SavedBook {
  std::uint64_t last_order = 0;
  std::uint64_t last_exec_id = 0;
  std::uint64_t last_match_id = 0;
  std::uint32_t order_slots = 0;             ///< Ever used.
  std::vector<std::uint32_t> free_slots;     ///< Of them, the next to be used last.
  std::vector<SavedInstrument> instruments;  ///< By InstrumentId.
  std::vector<SavedOrder> orders;  ///< Resting ones of one price in the order of their queue.
  std::vector<SavedName> names;    ///< Retired ones first, the oldest first.
};

}  // namespace affix::inline v0::tools::exchange
