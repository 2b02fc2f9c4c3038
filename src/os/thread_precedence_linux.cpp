// SPDX-License-Identifier: MIT
// Uses Linux's scheduling classes and niceness of single threads.
#include "affix/os/thread_precedence.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace affix::inline v0::os {

void name_this_thread(const char* name) noexcept {
  static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

void wake_behind_workers() noexcept {
  // Linux has a class and a niceness per thread; lowering the precedence needs no privilege. A
  // thread of this class preempts no other thread when it wakes.
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_BATCH, &none));
}

void wake_at_once() noexcept {
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_OTHER, &none));
}

void wake_on_time() noexcept {
  static_cast<void>(::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL));
}

void give_way_to_workers() noexcept {
  // Relative to the workers, which may be nicer than other processes themselves.
  constexpr int nicer_by = 5;
  wake_behind_workers();
  static_cast<void>(!::nice(nicer_by));
}

}  // namespace affix::inline v0::os
