// SPDX-License-Identifier: MIT
// The system's view of the calling thread.
#pragma once

#include <cstdint>

namespace affix::inline v0::os {

/// A number that no other living thread of the process has; above 0.
[[nodiscard]] int thread_number() noexcept;

/// Delays of the thread since it began; all 0 where the system does not count that.
struct ThreadDelays {
  std::int64_t preemptions = 0;   ///< Another thread got its processor.
  std::int64_t minor_faults = 0;  ///< A page was mapped.
  std::int64_t major_faults = 0;  ///< A page was read from the disk.
};

/// One system call.
[[nodiscard]] ThreadDelays thread_delays() noexcept;

}  // namespace affix::inline v0::os
