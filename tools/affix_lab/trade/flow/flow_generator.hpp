// SPDX-License-Identifier: MIT
// Generates orders that resemble a market's: prices around a mid that walks at random, some market
// orders, some cancels and replaces of open orders, at a given rate. The same seed and the same
// answers give the same flow.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/error.hpp"

#include "trade/flow/order_request.hpp"
#include "trade/flow/order_tracker.hpp"
#include "trade/flow/random_source.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

struct FlowSymbol {
  std::string symbol;
  base::Decimal mid{100, 0};  ///< Initial mid price; it stays between half and twice of it.
  base::Decimal tick{1, -2};
  base::Decimal lot{1, 0};
};

/// Distribution of the requests' times.
enum class Arrivals : std::uint8_t {
  Even,     ///< One every 1/rate seconds, exactly.
  Poisson,  ///< Independent, 1/rate seconds apart on average: with bursts like a market's.
};

struct FlowOptions {
  std::uint64_t seed = 1;
  std::vector<FlowSymbol> symbols;
  std::string cl_ord_id_prefix;  ///< Must differ from that of any other flow to the same exchange.
  std::int64_t rate_per_second = 1'000;  ///< Requests of all kinds, 1 to 10,000,000.
  Arrivals arrivals = Arrivals::Poisson;
  std::uint64_t request_count = 0;      ///< 0: unlimited.
  std::uint32_t market_percent = 5;     ///< Percentage of new orders.
  std::uint32_t immediate_percent = 5;  ///< Percentage of new limit orders: immediate or cancel.
  std::uint32_t cancel_percent = 20;    ///< Percentage of all requests while an order is open.
  std::uint32_t replace_percent = 10;   ///< Likewise.
  std::int64_t depth_ticks = 10;        ///< Limit prices are up to this far from the mid ...
  std::int64_t cross_ticks = 3;  ///< ... and up to this far on its other side, where they trade.
  std::int64_t lots_max = 10;    ///< Quantities are 1 to this many lots.
  std::uint64_t open_orders_max =
      1'000;  ///< With this many open, a cancel replaces every new order.
};

/// Open loop: a request's due time depends only on the start of the flow, never on the speed of
/// answers.
class FlowGenerator {
 public:
  /// InvalidArgument with every invalid option in one text.
  [[nodiscard]] static std::expected<FlowGenerator, base::Error> make(const FlowOptions& options);

  [[nodiscard]] bool done() const noexcept {
    return options_.request_count != 0 && made_ == options_.request_count;
  }

  /// Due time of the next request, relative to the start of the flow. Not after done().
  [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

  /// The next request. Cancels and replaces refer to orders that are idle in `orders`. Allocates
  /// for names of more than 15 bytes.
  [[nodiscard]] OrderRequest next(const OrderTracker& orders);

 private:
  /// A symbol in ticks and lots.
  struct Walk {
    FlowSymbol symbol;
    std::int64_t mid = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
  };

  explicit FlowGenerator(const FlowOptions& options);

  [[nodiscard]] RequestKind draw_kind(const OrderTracker& orders);
  [[nodiscard]] OrderRequest make_new();
  [[nodiscard]] OrderRequest make_change(RequestKind kind, const TrackedOrder& order);
  [[nodiscard]] base::Decimal draw_price(Walk& walk, Side side);
  /// Null for the symbol of a foreign order.
  [[nodiscard]] Walk* walk_of(std::string_view symbol) noexcept;
  void advance_due() noexcept;

  FlowOptions options_;
  RandomSource random_;
  std::vector<Walk> walks_;
  std::uint64_t made_ = 0;
  std::int64_t due_ns_ = 0;
};

}  // namespace affix::inline v0::tools::trade
