// SPDX-License-Identifier: MIT
// The summary of a trade as JSON.
#include "trade/progress.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::trade {

std::string summary_json(const ClientState& state, const LatencyHistogram& round_trips) {
  using Json = nlohmann::ordered_json;
  const FlowCounters& totals = state.totals;
  const Json json{{"sound", state.sound()},
                  {"elapsed_ns", state.elapsed_ns},
                  {"orders_sent", totals.orders_sent},
                  {"cancels_sent", totals.cancels_sent},
                  {"replaces_sent", totals.replaces_sent},
                  {"accepted", totals.acked},
                  {"rejected", totals.rejected},
                  {"fills", totals.fills},
                  {"filled", totals.filled},
                  {"canceled", totals.canceled},
                  {"replaced", totals.replaced},
                  {"cancel_rejects", totals.cancel_rejects},
                  {"unanswered", totals.outstanding},
                  {"faulty_reports", totals.faulty_reports()},
                  {"unreadable_reports", state.unreadable_reports},
                  {"business_rejects", state.business_rejects},
                  {"refused_sends", state.refused_sends},
                  {"round_trip_ns",
                   {{"count", round_trips.count()},
                    {"min", round_trips.min_ns()},
                    {"p50", round_trips.value_at(0.5)},
                    {"p99", round_trips.value_at(0.99)},
                    {"p999", round_trips.value_at(0.999)},
                    {"max", round_trips.max_ns()}}},
                  {"market_data",
                   {{"snapshots", state.market_data.snapshots},
                    {"increments", state.market_data.increments},
                    {"entries", state.market_data.entries},
                    {"trades", state.market_data.trades},
                    {"faulty", state.market_data.faulty()},
                    {"rejects", state.market_data.rejects}}}};
  return json.dump() + "\n";
}

}  // namespace affix::inline v0::tools::trade
