// SPDX-License-Identifier: MIT
// Cancellation of the calling thread, off and as it was.
#include "affix/net/no_cancellation.hpp"

#include <pthread.h>

namespace affix::inline v0::net {

// Disabled first, and enabled last: asynchronous cancellation may end a thread at any instruction.
NoCancellation::NoCancellation() noexcept {
  // They fail for unknown constants only.
  static_cast<void>(::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_before_));
  static_cast<void>(::pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type_before_));
}

NoCancellation::~NoCancellation() {
  static_cast<void>(::pthread_setcanceltype(type_before_, nullptr));
  static_cast<void>(::pthread_setcancelstate(state_before_, nullptr));
}

}  // namespace affix::inline v0::net
