// SPDX-License-Identifier: MIT
// The exchange without transport: takes members' commands, returns reports and public trades, in
// order and deterministically. Uses no clock, socket or FIX text; an adaptor adds times and
// encodes.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/error.hpp"

#include "exchange/book/commands.hpp"
#include "exchange/book/events.hpp"
#include "exchange/book/instrument.hpp"
#include "exchange/book/order.hpp"
#include "exchange/book/order_book.hpp"
#include "exchange/book/saved_book.hpp"
#include "order/cl_ord_id_table.hpp"
#include "order/slot_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// Limits on everything that the engine stores.
struct EngineLimits {
  /// Maximum number of known ClOrdIDs, at most 10,000,000. Every open order needs one; the others
  /// belong to ended orders and replaced names, of which the oldest are forgotten first. A full
  /// engine refuses new orders.
  std::size_t cl_ord_ids_max = 1'000'000;
  std::size_t price_levels_max = 16'384;  ///< Per side of a book.
  std::size_t owners_max = 4'096;         ///< OwnerIds are below this.
};

/// Counts since the start.
struct EngineCounters {
  std::uint64_t accepted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t trades = 0;
  std::uint64_t canceled = 0;  ///< On request, by the engine and at the end of the day.
  std::uint64_t replaced = 0;
  std::uint64_t cancel_rejects = 0;  ///< Of cancels and of replaces.
};

/// One price of a published book.
struct BookLevel {
  base::Decimal price;
  base::Decimal quantity;
  std::uint32_t order_count = 0;
};

/// Price-time priority for any number of instruments. One thread. Answers every command before its
/// call returns, and allocates nothing once the pools have grown to the peak. A refused order
/// leaves no trace: its ClOrdID may be sent again. An order may trade with another of the same
/// owner.
class MatchingEngine {
 public:
  /// The sink must outlive the engine.
  MatchingEngine(const EngineLimits& limits, EventSink& sink);
  MatchingEngine(const MatchingEngine&) = delete;
  MatchingEngine& operator=(const MatchingEngine&) = delete;

  /// Opens a book. AlreadyExists if the symbol has one, InvalidArgument for an inconsistent
  /// description.
  std::expected<InstrumentId, base::Error> add_instrument(const Instrument& instrument);

  /// Cancels all open orders of an instrument, those of each owner oldest first, and refuses its
  /// symbol from then on.
  void close_instrument(InstrumentId instrument);

  /// Opens a closed instrument's symbol again.
  void open_instrument(InstrumentId instrument) noexcept { markets_[instrument].open = true; }

  /// The number of a symbol that has a book, open or closed.
  [[nodiscard]] std::optional<InstrumentId> known_instrument(
      std::string_view symbol) const noexcept;

  // Members' commands. Each reports its outcome to the sink.

  void submit(const NewOrder& command);
  void cancel(const CancelOrder& command);
  void replace(const ReplaceOrder& command);
  void report_status(const StatusRequest& command);

  // Operator's commands.

  /// Cancels all open orders of a member, oldest first, for cancel on disconnect.
  void owner_gone(OwnerId owner, Reason reason = Reason::OwnerGone);

  /// Expires every open order that is valid only for the day.
  void end_day();

  // State that outlives the process.

  /// Returns everything except the counters. O(remembered orders and names).
  [[nodiscard]] SavedBook save() const;

  /// Restores the saved state in an engine with the same limits that has received no command.
  /// Damaged: the book is contradictory; the engine is unusable then.
  [[nodiscard]] std::expected<void, base::Error> restore(const SavedBook& saved);

  /// Number of the newest execution.
  [[nodiscard]] std::uint64_t last_exec_id() const noexcept { return last_exec_id_; }

  /// Sets all counters to 0.
  void reset_counters() noexcept { counters_ = {}; }

  // Market data.

  /// The number of an open symbol.
  [[nodiscard]] std::optional<InstrumentId> find_instrument(std::string_view symbol) const noexcept;

  [[nodiscard]] std::size_t instrument_count() const noexcept { return markets_.size(); }

  [[nodiscard]] std::string_view symbol(InstrumentId instrument) const noexcept;

  /// Writes the best levels of a side, best first, and returns their number. O(written levels).
  [[nodiscard]] std::size_t best_levels(InstrumentId instrument, Side side,
                                        std::span<BookLevel> out) const noexcept;

  /// Changes whenever the instrument's book changes.
  [[nodiscard]] std::uint64_t book_version(InstrumentId instrument) const noexcept;

  [[nodiscard]] const EngineCounters& counters() const noexcept { return counters_; }

  [[nodiscard]] std::size_t open_orders() const noexcept { return open_orders_; }

 private:
  // An OrderId is a running number with the order's slot in its last seven digits, so that an order
  // is found by its OrderId without another table. The running number distinguishes the orders of
  // one slot.
  static constexpr OrderId slots_per_order_id = 10'000'000;

  [[nodiscard]] static constexpr std::uint32_t slot_of(OrderId order_id) noexcept {
    return static_cast<std::uint32_t>(order_id % slots_per_order_id);
  }

  struct Market {
    Instrument instrument;
    Steps steps;
    OrderBook book;
    bool open = true;
  };

  struct OwnerOrders {
    Order* first = nullptr;
    Order* last = nullptr;
  };

  struct SymbolHash {
    using is_transparent = void;

    std::size_t operator()(std::string_view symbol) const noexcept {
      return std::hash<std::string_view>{}(symbol);
    }
  };

  struct Terms {
    std::int64_t quantity = 0;
    std::int64_t price = 0;
  };

  // Checks: they return the reason to refuse, or None.
  [[nodiscard]] Reason check_new_name(OwnerId owner, std::string_view cl_ord_id) const noexcept;
  [[nodiscard]] static Reason check_kind(const NewOrder& command) noexcept;
  [[nodiscard]] static std::expected<Terms, Reason> check_terms(
      const Steps& steps, OrderType type, const std::optional<base::Decimal>& quantity,
      const std::optional<base::Decimal>& price) noexcept;
  [[nodiscard]] static Reason check_replace(const Order& order,
                                            const ReplaceOrder& command) noexcept;

  struct Found {
    Order* order = nullptr;  ///< The order, if the sender may know it.
    Reason reason = Reason::None;
  };

  [[nodiscard]] Order* order_by_id(OrderId order_id) noexcept;
  [[nodiscard]] Found find_order(OwnerId owner, std::string_view cl_ord_id,
                                 std::optional<OrderId> order_id) noexcept;
  [[nodiscard]] Found find_target(OwnerId owner, std::string_view orig_cl_ord_id,
                                  std::optional<OrderId> order_id, std::string_view symbol,
                                  Side side) noexcept;

  /// Target of a cancel or a replace, and its refusal if `reject.reason` is not None.
  struct Target {
    CancelReject reject;
    Order* order = nullptr;  ///< May be set for a refusal too, which has its state.
  };

  template <class Command>
  [[nodiscard]] Target target_of(const Command& command) noexcept;

  // The life of an order.
  [[nodiscard]] Order* make_order(const NewOrder& command, InstrumentId instrument,
                                  const Terms& terms);
  [[nodiscard]] bool give_name(Order& order, std::string_view cl_ord_id);
  void release_name(ClOrdIdTable::OrderSlot slot) noexcept;
  void work(Order& order);
  void trade(Order& order);
  void end(Order& order, OrderStatus status) noexcept;
  void end_unasked(Order& order, ExecType type, OrderStatus status, Reason reason);
  void enter_owner(Order& order) noexcept;

  // Reports.
  [[nodiscard]] ExecutionReport report_of(const Order& order) const noexcept;
  void send(ExecutionReport report);
  void send_trade(const Order& order, std::int64_t units, std::int64_t price);
  void send_rejected(const NewOrder& command, Reason reason);
  void send_cancel_reject(CancelReject reject, const Order* order);

  EventSink& sink_;
  EngineLimits limits_;
  ClOrdIdTable names_;
  SlotPool<Order> orders_;
  std::deque<Market> markets_;  // A deque, so that adding a book does not move others.
  std::unordered_map<std::string, InstrumentId, SymbolHash, std::equal_to<>> instruments_;
  std::vector<OwnerOrders> owners_;
  EngineCounters counters_;
  std::size_t open_orders_ = 0;
  std::uint64_t last_order_ = 0;
  std::uint64_t last_exec_id_ = 0;
  std::uint64_t last_match_id_ = 0;
};

}  // namespace affix::inline v0::tools::exchange
