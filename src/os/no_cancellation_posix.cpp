// SPDX-License-Identifier: MIT
// Disables cancellation of the calling thread, and restores it.
#include "affix/os/no_cancellation.hpp"

#include <pthread.h>

namespace affix::inline v0::os {

// Disabled first, and enabled last: asynchronous cancellation may end a thread at any instruction.
NoCancellation::NoCancellation() noexcept {
  // Fails for unknown constants only.
  static_cast<void>(::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_before_));
  static_cast<void>(::pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type_before_));
}

NoCancellation::~NoCancellation() {
  static_cast<void>(::pthread_setcanceltype(type_before_, nullptr));
  static_cast<void>(::pthread_setcancelstate(state_before_, nullptr));
}

}  // namespace affix::inline v0::os
