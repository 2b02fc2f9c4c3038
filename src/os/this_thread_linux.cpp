// SPDX-License-Identifier: MIT
// The kernel's number and counts of a thread.
#include "os/this_thread.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace affix::inline v0::os {

int thread_number() noexcept {
  return static_cast<int>(::syscall(SYS_gettid));
}

ThreadDelays thread_delays() noexcept {
  rusage usage{};
  static_cast<void>(::getrusage(RUSAGE_THREAD, &usage));
  return {usage.ru_nivcsw, usage.ru_minflt, usage.ru_majflt};
}

}  // namespace affix::inline v0::os
