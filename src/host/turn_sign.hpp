// SPDX-License-Identifier: MIT
// A worker's sign of life in memory that outlives the process: from it the next process knows since
// when nobody has served a connection.
#pragma once

#include "affix/base/time.hpp"

#include <atomic>
#include <cstdint>

namespace affix::inline v0::host {

/// Steady time of a worker's last step; below zero the negated time at which it began to wait. 0:
/// none yet. Written by the worker at each turn, which costs a store and no system call.
struct alignas(64) TurnSign {
  std::atomic<std::int64_t> at_ns{0};
};

/// How a process has ended.
enum class ProcessEnd : std::uint32_t {
  Killed = 0,  ///< By a signal or a fault of its own: nothing was noted.
  Left = 1,    ///< In order: its workers had stopped before.
};

/// A worker that waits begins a turn after this time at the latest, with a margin for a busy
/// machine: one that did not had stopped serving.
inline constexpr std::int64_t longest_wait_ns = 2 * base::ns_per_second;

/// Since when a worker has not served, from its last sign; 0: unknown. `ended_ns` is when its
/// process was seen to end, 0 if nobody saw that. A process that waits for events serves until it
/// ends, and one that is killed within a turn has served until that began.
[[nodiscard]] constexpr std::int64_t unserved_since(std::int64_t sign_ns, ProcessEnd end,
                                                    std::int64_t ended_ns) noexcept {
  if (sign_ns == 0) {
    return ended_ns;
  }
  if (sign_ns > 0) {
    return sign_ns;
  }
  const std::int64_t waits_since_ns = -sign_ns;
  const bool served = end == ProcessEnd::Killed && ended_ns > waits_since_ns &&
                      ended_ns - waits_since_ns <= longest_wait_ns;
  return served ? ended_ns : waits_since_ns;
}

}  // namespace affix::inline v0::host
