// SPDX-License-Identifier: MIT
// Draws requests. Takes random decisions in a fixed order, so that a seed determines the flow.
#include "trade/flow/flow_generator.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/time.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace affix::inline v0::tools::trade {

namespace {

__extension__ using WideInteger = __int128;

constexpr std::int64_t rate_max = 10'000'000;
constexpr std::int64_t ticks_max = 1'000'000'000'000;

/// A decimal in whole steps of `step`; nullopt if it is not a multiple.
std::optional<std::int64_t> steps_of(base::Decimal value, base::Decimal step) {
  const std::optional<std::int64_t> units = value.mantissa_at(step.exponent);
  if (!units || step.mantissa <= 0 || *units % step.mantissa != 0) {
    return std::nullopt;
  }
  return *units / step.mantissa;
}

/// True if mantissas stay within 64 bits for any drawn value.
bool fits(std::int64_t steps, base::Decimal step) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(steps, step.mantissa, &product);
}

void check_symbol(const FlowSymbol& symbol, const FlowOptions& options, std::string& faults) {
  const auto fault = [&](const char* text) {
    faults += "symbol '" + symbol.symbol + "': " + text + "; ";
  };
  if (symbol.symbol.empty()) {
    fault("the name is empty");
  }
  if (symbol.tick.mantissa <= 0 || symbol.lot.mantissa <= 0) {
    fault("tick and lot must be above zero");
    return;
  }
  const std::optional<std::int64_t> mid = steps_of(symbol.mid, symbol.tick);
  if (!mid || *mid <= 0 || *mid > ticks_max ||
      !fits(*mid * 2 + std::max(options.depth_ticks, options.cross_ticks), symbol.tick)) {
    fault("the mid must be above zero and a whole number of ticks, a trillion at most");
  } else if (*mid / 2 <= std::max(options.depth_ticks, options.cross_ticks)) {
    fault("the mid is too near to zero for the depth of the book");
  }
  if (!fits(options.lots_max, symbol.lot)) {
    fault("the largest quantity overflows");
  }
}

std::string faults_of(const FlowOptions& options) {
  std::string faults;
  const auto fault = [&](const char* text) { faults += std::string(text) + "; "; };
  if (options.symbols.empty()) {
    fault("at least one symbol is needed");
  }
  if (options.rate_per_second < 1 || options.rate_per_second > rate_max) {
    fault("the rate must be 1 to 10,000,000 per second");
  }
  if (options.market_percent > 100 || options.immediate_percent > 100) {
    fault("a percentage is above 100");
  }
  if (options.cancel_percent > 100 || options.replace_percent > 100 ||
      options.cancel_percent + options.replace_percent > 100) {
    fault("cancels and replaces together are above 100 percent");
  }
  if (options.depth_ticks < 0 || options.cross_ticks < 0 || options.depth_ticks > ticks_max ||
      options.cross_ticks > ticks_max) {
    fault("depth and crossing must be 0 to a trillion ticks");
    return faults;
  }
  if (options.lots_max < 1) {
    fault("quantities must be at least one lot");
  }
  if (options.open_orders_max < 1) {
    fault("at least one order must be allowed to be open");
  }
  // A name is the prefix and up to twenty digits.
  if (options.cl_ord_id_prefix.size() + 20 > cl_ord_id_bytes_max) {
    fault("the prefix of ClOrdIDs is too long");
  }
  for (const FlowSymbol& symbol : options.symbols) {
    check_symbol(symbol, options, faults);
  }
  return faults;
}

}  // namespace

std::expected<FlowGenerator, base::Error> FlowGenerator::make(const FlowOptions& options) {
  std::string faults = faults_of(options);
  if (!faults.empty()) {
    faults.resize(faults.size() - 2);
    return std::unexpected(
        base::Error{base::ErrorCode::InvalidArgument, std::move(faults), "order flow", "P109"});
  }
  return FlowGenerator(options);
}

FlowGenerator::FlowGenerator(const FlowOptions& options)
    : options_(options), random_(options.seed) {
  for (const FlowSymbol& symbol : options.symbols) {
    const std::int64_t mid = *steps_of(symbol.mid, symbol.tick);
    walks_.push_back({symbol, mid, mid / 2, mid * 2});
  }
  advance_due();
}

OrderRequest FlowGenerator::next(const OrderTracker& orders) {
  AFFIX_DEBUG_ASSERT(!done());
  const RequestKind kind = draw_kind(orders);
  OrderRequest request =
      kind == RequestKind::New
          ? make_new()
          : make_change(kind, orders.idle_order(random_.below(orders.idle_count())));
  ++made_;
  request.cl_ord_id = options_.cl_ord_id_prefix + std::to_string(made_);
  request.due_ns = due_ns_;
  advance_due();
  return request;
}

RequestKind FlowGenerator::draw_kind(const OrderTracker& orders) {
  const std::uint64_t drawn = random_.below(100);
  if (orders.idle_count() == 0) {
    return RequestKind::New;
  }
  if (drawn < options_.cancel_percent) {
    return RequestKind::Cancel;
  }
  if (drawn < options_.cancel_percent + options_.replace_percent) {
    return RequestKind::Replace;
  }
  return orders.open_count() >= options_.open_orders_max ? RequestKind::Cancel : RequestKind::New;
}

OrderRequest FlowGenerator::make_new() {
  Walk& walk = walks_[random_.below(walks_.size())];
  OrderRequest request;
  request.symbol = walk.symbol.symbol;
  request.side = random_.chance(50) ? Side::Buy : Side::Sell;
  request.quantity = {random_.between(1, options_.lots_max) * walk.symbol.lot.mantissa,
                      walk.symbol.lot.exponent};
  if (random_.chance(options_.market_percent)) {
    request.type = OrderType::Market;
    return request;
  }
  request.price = draw_price(walk, request.side);
  if (random_.chance(options_.immediate_percent)) {
    request.time_in_force = TimeInForce::ImmediateOrCancel;
  }
  return request;
}

OrderRequest FlowGenerator::make_change(RequestKind kind, const TrackedOrder& order) {
  OrderRequest request;
  request.kind = kind;
  request.orig_cl_ord_id = order.cl_ord_id;
  request.symbol = order.symbol;
  request.side = order.side;
  request.type = order.type;
  request.time_in_force = order.time_in_force;
  request.quantity = order.quantity;
  if (kind == RequestKind::Cancel) {
    return request;
  }
  request.price = order.price;
  Walk* walk = walk_of(order.symbol);
  if (walk == nullptr) {
    return request;
  }
  // Half of the replaces change the price, half the quantity. One lot more is never below the
  // filled quantity, even if replace and fill cross.
  if (random_.chance(50)) {
    request.price = draw_price(*walk, order.side);
  } else if (const std::optional<std::int64_t> lots = steps_of(order.quantity, walk->symbol.lot);
             lots && *lots < options_.lots_max) {
    request.quantity = {(*lots + 1) * walk->symbol.lot.mantissa, walk->symbol.lot.exponent};
  }
  return request;
}

base::Decimal FlowGenerator::draw_price(Walk& walk, Side side) {
  walk.mid = std::clamp(walk.mid + random_.between(-1, 1), walk.lowest, walk.highest);
  const std::int64_t away = random_.between(-options_.cross_ticks, options_.depth_ticks);
  const std::int64_t ticks = is_buy(side) ? walk.mid - away : walk.mid + away;
  return {ticks * walk.symbol.tick.mantissa, walk.symbol.tick.exponent};
}

FlowGenerator::Walk* FlowGenerator::walk_of(std::string_view symbol) noexcept {
  const auto found = std::find_if(walks_.begin(), walks_.end(), [symbol](const Walk& walk) {
    return walk.symbol.symbol == symbol;
  });
  return found == walks_.end() ? nullptr : &*found;
}

void FlowGenerator::advance_due() noexcept {
  if (options_.arrivals == Arrivals::Even) {
    // Computed from the count, not from the previous time, so that rounding errors do not add up
    // over days.
    due_ns_ = static_cast<std::int64_t>(static_cast<WideInteger>(made_) * base::ns_per_second /
                                        options_.rate_per_second);
    return;
  }
  const double mean_ns =
      static_cast<double>(base::ns_per_second) / static_cast<double>(options_.rate_per_second);
  due_ns_ += static_cast<std::int64_t>(-std::log(random_.fraction()) * mean_ns);
}

}  // namespace affix::inline v0::tools::trade
