// SPDX-License-Identifier: MIT
// Counts page faults, for tests that a thread finds its pages ready.
#pragma once

#include "os/this_thread.hpp"

#include <cstdint>

namespace affix::support {

/// Both those that read the disk and those that did not.
inline std::int64_t page_faults_of_this_thread() {
  const os::ThreadDelays delays = os::thread_delays();
  return delays.minor_faults + delays.major_faults;
}

}  // namespace affix::support
