// SPDX-License-Identifier: MIT
// Cores, as the scheduler and the system's topology files tell them.
#include "engine/cores.hpp"

#include <fstream>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace affix::inline v0::engine {

namespace {

/// Which processors share its core, as one text that is the same for all of them.
std::string core_of(std::int64_t processor) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                     "/topology/thread_siblings_list");
  std::string siblings;
  return std::getline(file, siblings) ? siblings : "processor " + std::to_string(processor);
}

}  // namespace

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
  // Only the kernel knows, since the cores of the process's cgroup are not those of this thread.
  cpu_set_t before;
  CPU_ZERO(&before);
  if (::pthread_getaffinity_np(::pthread_self(), sizeof before, &before) != 0) {
    return true;  // It cannot be tried without a trace, and is only asked for a warning.
  }
  const bool pinned = pin_this_thread(core);
  if (pinned && core >= 0) {
    static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof before, &before));
  }
  return pinned;
}

void name_this_thread(const char* name) noexcept {
  static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

void wake_behind_workers() noexcept {
  // Linux has a class and a niceness for each thread, and everybody may give way more than before.
  // When it is woken a thread of that class takes its processor from nobody.
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_BATCH, &none));
}

void wake_at_once() noexcept {
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_OTHER, &none));
}

void give_way_to_workers() noexcept {
  constexpr int niceness = 5;
  wake_behind_workers();
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness));
}

}  // namespace affix::inline v0::engine
