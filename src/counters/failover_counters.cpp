// SPDX-License-Identifier: MIT
// Names of the counters of failover, for every program that shows them.
#include "affix/counters/failover_counters.hpp"

namespace affix::inline v0::counters {

namespace {

using enum CounterKind;

constexpr std::array<CounterName, failover_counter_count> group_counters{{
    {"role", "what this node is in the group: 0 standby, 1 primary, 2 handing over", Level},
    {"epoch", "number of the reign of the primary that this node knows", Level},
    {"leading_since", "when this node came to lead the group; 0: it does not", Time},
    {"in_sync_nodes", "nodes that may take over, the primary included", Level},
    {"alone", "whether this node leads and no other may take over: 1, or 0", Level},
    {"output_held", "whether this node leads and its output is held back: 1, or 0", Level},
    {"store_silent", "whether the election store's last answer was an error: 1, or 0", Level},
    {"promotions", "times that this node came to lead the group", Total},
    {"hand_overs", "times that this node handed the group over", Total},
    {"step_downs", "times that this node lost the group to another node", Total},
    {"last_take_over",
     "nanoseconds of the last take-over by this node, until its sessions were open; 0: none",
     Level},
}};

constexpr std::array<CounterName, standby_counter_count> standby_counters{{
    {"connected", "whether the primary's connection to the standby is accepted: 1, or 0", Level},
    {"in_gate", "whether the primary's output waits for the standby: 1, or 0", Level},
    {"late", "whether the standby does not acknowledge in time: 1, or 0", Level},
    {"lag_bytes", "bytes that the standby has not acknowledged", Level},
    {"lag_time", "nanoseconds since the oldest of these was stored", Level},
}};

static_assert(static_cast<std::size_t>(FailoverCounter::LastTakeOver) + 1 ==
              failover_counter_count);
static_assert(static_cast<std::size_t>(StandbyCounter::LagTime) + 1 == standby_counter_count);

// Other programs read the file by these offsets.
static_assert(offsetof(FailoverCounters, name) == 8);
static_assert(offsetof(FailoverCounters, node) == 80);
static_assert(offsetof(FailoverCounters, primary) == 152);
static_assert(offsetof(FailoverCounters, in_sync) == 224);
static_assert(offsetof(FailoverCounters, counters) == 448);
static_assert(offsetof(FailoverCounters, standbys) == 536);
static_assert(offsetof(StandbyCounters, counters) == 72);
static_assert(sizeof(StandbyCounters) == 112);
static_assert(sizeof(FailoverCounters) == 768);

}  // namespace

std::span<const CounterName> failover_counter_names() noexcept {
  return group_counters;
}

std::span<const CounterName> standby_counter_names() noexcept {
  return standby_counters;
}

}  // namespace affix::inline v0::counters
