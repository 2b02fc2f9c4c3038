// SPDX-License-Identifier: MIT
// Counts page faults, for tests that a thread finds its pages ready.
#pragma once

#include <cstdint>
#include <sys/resource.h>

namespace affix::support {

/// Both those that read the disk and those that did not.
inline std::int64_t page_faults_of_this_thread() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

}  // namespace affix::support
