// SPDX-License-Identifier: MIT
// Writes the counters of one failover group.
#pragma once

#include "affix/base/time.hpp"
#include "affix/counters/failover_counters.hpp"
#include "affix/engine/failover_standing.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// How a node ceases to lead.
enum class LeadEnd : std::uint8_t {
  HandedOver,  ///< It gave the group to another node.
  Lost,        ///< Another node had taken it, or nobody may lead.
};

/// One thread at a time.
class FailoverMeter {
 public:
  /// The counters outlive it.
  explicit FailoverMeter(counters::FailoverCounters& counters) noexcept : counters_(counters) {}

  /// The primary is gone, or this node has begun to be promoted for another reason. Only the first
  /// call until leads() or follows() counts.
  void begin_take_over(std::int64_t now_ns) noexcept {
    began_ns_ = began_ns_ == 0 ? now_ns : began_ns_;
  }

  /// A primary is there again.
  void follows() noexcept { began_ns_ = 0; }

  /// The group's sessions are open here.
  void leads(base::Now now) noexcept;

  void ends(LeadEnd how) noexcept;

  /// Shows the values of this moment.
  void show(const FailoverStanding& standing) noexcept;

 private:
  counters::FailoverCounters& counters_;
  std::int64_t began_ns_ = 0;  // 0: no take-over is under way.
};

}  // namespace affix::inline v0::engine
