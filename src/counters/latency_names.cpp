// SPDX-License-Identifier: MIT
// Words and sentences for the causes of a message's wait.
#include "affix/counters/latency_records.hpp"

namespace affix::inline v0::counters {

CounterName latency_cause_name(std::uint64_t code) noexcept {
  constexpr auto first = static_cast<std::uint64_t>(LatencyCause::FirstWait);
  if (code >= first && code - first < wait_cause_count) {
    return wait_cause_names()[static_cast<std::size_t>(code - first)];
  }
  switch (code) {
    case static_cast<std::uint64_t>(LatencyCause::None):
      return {"none", "Nothing that the worker knows of held it up"};
    case static_cast<std::uint64_t>(LatencyCause::Flush):
      return {"flush", "It waited until the disk had it (durability=sync)"};
    case static_cast<std::uint64_t>(LatencyCause::Limit):
      return {"limit", "It waited for its turn under send_throttle_limit"};
    case static_cast<std::uint64_t>(LatencyCause::Peer):
      return {"peer", "It waited for a peer that did not take what was sent before"};
    default:
      return {"unknown", "Another version of affix knows this cause"};
  }
}

}  // namespace affix::inline v0::counters
