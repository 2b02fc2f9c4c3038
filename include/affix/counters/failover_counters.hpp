// SPDX-License-Identifier: MIT
// Counters of a node's part in its failover groups, in the file of the engine's counters:
// docs/reference/counters-format.md.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/counter.hpp"
#include "affix/counters/counters.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace affix::inline v0::counters {

/// Counters of a failover group. The order is part of the file format: append new ones at the end.
enum class FailoverCounter : std::uint8_t {
  Role,          ///< A FailoverRole.
  Epoch,         ///< Of this node's reign, or of the primary that it follows; 0: none.
  LeadingSince,  ///< UTC time at which this node came to lead; 0: it does not.
  InSync,        ///< Number of nodes that may take over, the primary included; 0: not known.
  Alone,         ///< 1: this node leads, and no other may take over.
  OutputHeld,    ///< 1: this node leads, and its output is held back.
  StoreSilent,   ///< 1: the election store's last answer was none, or an error.
  Promotions,    ///< Times that this node came to lead.
  HandOvers,     ///< Times that it handed the group over to another node.
  StepDowns,     ///< Times that it lost the group to another node.
  LastTakeOver,  ///< Nanoseconds from the sight that the primary was gone until the sessions were
                 ///< open here, the last time; 0: never.
};

/// Number of values of FailoverCounter.
inline constexpr std::size_t failover_counter_count = 11;

/// A node's role in a group, as FailoverCounter::Role counts it.
enum class FailoverRole : std::uint8_t { Standby, Primary, HandingOver };

/// Counters of one standby of a group, kept by the primary. The order is part of the file format.
enum class StandbyCounter : std::uint8_t {
  Connected,  ///< 1: its connection is accepted.
  InGate,     ///< 1: output waits for it.
  Late,       ///< 1: it does not acknowledge in time.
  LagBytes,   ///< Bytes that it has not acknowledged.
  LagTime,    ///< Age of the oldest of them in nanoseconds.
};

/// Number of values of StandbyCounter.
inline constexpr std::size_t standby_counter_count = 5;

/// Standbys of a group that have room in the file.
inline constexpr std::size_t standbys_counted_max = 2;

/// Counters of one standby.
struct StandbyCounters {
  CounterText<72> name;  ///< Name of its node; empty: there is none, or this node does not lead.
  std::array<base::Counter, standby_counter_count> counters;  ///< In the order of StandbyCounter.

  /// The counter of that meaning.
  [[nodiscard]] base::Counter& operator[](StandbyCounter which) noexcept {
    return counters[static_cast<std::size_t>(which)];
  }
};

/// One failover group. The thread that decides about the group writes it; readers compare `version`
/// before and after.
struct alignas(base::cache_line) FailoverCounters {
  std::atomic<std::uint64_t> version{0};  ///< Odd during a write.
  CounterText<72> name;                   ///< Name of the group.
  CounterText<72> node;                   ///< Name of this node.
  CounterText<72> primary;                ///< As the election store last said; empty: nobody.
  CounterText<224> in_sync;               ///< Names with commas between them, as many as fit.
  std::array<base::Counter, failover_counter_count> counters;  ///< In the order of FailoverCounter.
  std::array<StandbyCounters, standbys_counted_max> standbys;  ///< The group's other nodes.

  /// The counter of that meaning.
  [[nodiscard]] base::Counter& operator[](FailoverCounter which) noexcept {
    return counters[static_cast<std::size_t>(which)];
  }
};

/// Names in the order of the enumerations. Static storage; thread-safe.
[[nodiscard]] std::span<const CounterName> failover_counter_names() noexcept;
/// The same for counters of standbys.
[[nodiscard]] std::span<const CounterName> standby_counter_names() noexcept;

}  // namespace affix::inline v0::counters
