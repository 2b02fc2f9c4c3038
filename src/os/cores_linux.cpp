// SPDX-License-Identifier: MIT
// Cores according to the scheduler and the system's topology files.
#include "os/cores.hpp"

#include <algorithm>
#include <fstream>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <string>

namespace affix::inline v0::os {

namespace {

/// Processors that share its core, as a text that is equal for all of them.
std::string core_of(std::int64_t processor) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                     "/topology/thread_siblings_list");
  std::string siblings;
  return std::getline(file, siblings) ? siblings : "processor " + std::to_string(processor);
}

}  // namespace

std::size_t allowed_processors() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool reported = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  return reported ? static_cast<std::size_t>(std::max(CPU_COUNT(&allowed), 1)) : 1;
}

std::vector<std::int64_t> physical_cores() {
  std::vector<std::int64_t> cores;
  std::set<std::string> seen;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (std::int64_t processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (CPU_ISSET(static_cast<std::size_t>(processor), &allowed) &&
          seen.insert(core_of(processor)).second) {
        cores.push_back(processor);
      }
    }
  }
  if (cores.empty()) {
    cores.push_back(0);
  }
  return cores;
}

bool pin_this_thread(std::int64_t core) noexcept {
  if (core < 0) {
    return true;
  }
  if (core >= CPU_SETSIZE) {
    return false;
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  return ::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores) == 0;
}

bool can_pin_to(std::int64_t core) noexcept {
  // Only the kernel knows, since the cores of the process's cgroup may differ from this thread's.
  cpu_set_t before;
  CPU_ZERO(&before);
  if (::pthread_getaffinity_np(::pthread_self(), sizeof before, &before) != 0) {
    return true;  // Trying would have side effects, and the answer only serves a warning.
  }
  const bool pinned = pin_this_thread(core);
  if (pinned && core >= 0) {
    static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof before, &before));
  }
  return pinned;
}

}  // namespace affix::inline v0::os
