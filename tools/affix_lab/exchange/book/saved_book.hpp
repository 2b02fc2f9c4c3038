// SPDX-License-Identifier: MIT
// Complete state of a matching engine as values in order: the contents of a snapshot. An engine
// made from it answers every later command like the saved one.
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
  bool open = true;  ///< Open for trading; a closed one is only known by its number.
};

/// An order that is open, or has ended and still has remembered names.
struct SavedOrder {
  OrderId order_id = 0;
  OwnerId owner = 0;
  InstrumentId instrument = 0;
  std::int64_t price = 0;  ///< In units of its instrument, like quantity and filled.
  std::int64_t quantity = 0;
  std::int64_t filled = 0;
  WideInteger notional = 0;
  Side side = Side::Buy;
  OrderType type = OrderType::Limit;
  TimeInForce time_in_force = TimeInForce::Day;
  OrderStatus status = OrderStatus::New;
};

/// A ClOrdID of an order.
struct SavedName {
  std::string text;
  OrderId order_id = 0;
  bool present = false;  ///< The order's present name, not that of a cancel or from before a
                         ///< replace.
  bool retired = false;  ///< May be forgotten, in the order of the list.
};

struct SavedBook {
  std::uint64_t last_order = 0;
  std::uint64_t last_exec_id = 0;
  std::uint64_t last_match_id = 0;
  std::uint32_t order_slots = 0;             ///< Number of slots ever used.
  std::vector<std::uint32_t> free_slots;     ///< Unused ones among them; the last is used next.
  std::vector<SavedInstrument> instruments;  ///< By InstrumentId.
  std::vector<SavedOrder> orders;  ///< Resting orders of one price in the order of their queue.
  std::vector<SavedName> names;    ///< Retired names first, oldest first.
};

}  // namespace affix::inline v0::tools::exchange
