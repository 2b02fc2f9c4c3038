// SPDX-License-Identifier: MIT
// Steps through the control messages of a received message.
#pragma once

#include <sys/socket.h>

namespace affix::inline v0::net {

/// The one after `part`; null: there is none.
inline cmsghdr* next_control_message(msghdr& message, const cmsghdr* part) noexcept {
#pragma GCC diagnostic push
// musl's macro compares a difference of pointers with a size.
#pragma GCC diagnostic ignored "-Wsign-compare"
  return CMSG_NXTHDR(&message, const_cast<cmsghdr*>(part));
#pragma GCC diagnostic pop
}

}  // namespace affix::inline v0::net
