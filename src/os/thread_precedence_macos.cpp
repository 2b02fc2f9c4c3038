// SPDX-License-Identifier: MIT
// Uses macOS's classes of service.
#include "affix/os/thread_precedence.hpp"

#include <pthread.h>
#include <pthread/qos.h>

namespace affix::inline v0::os {

void name_this_thread(const char* name) noexcept {
  static_cast<void>(::pthread_setname_np(name));
}

void wake_behind_workers() noexcept {
  // No class lets a thread wake without preempting others; the work is short, so it keeps its own.
}

void wake_at_once() noexcept {}

void wake_on_time() noexcept {}

void give_way_to_workers() noexcept {
  static_cast<void>(::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0));
}

}  // namespace affix::inline v0::os
