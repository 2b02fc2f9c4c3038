// SPDX-License-Identifier: MIT
// An event that is one descriptor on every system. Compiled on all, so that it is tested on Linux,
// which has a better one. Private to net.
#pragma once

#include "affix/net/socket.hpp"

namespace affix::inline v0::net {

/// Not open: errno has the error.
[[nodiscard]] Socket make_datagram_event() noexcept;

/// Any thread and signal handlers. One system call.
void raise_datagram_event(int event) noexcept;

/// Two system calls or more.
void clear_datagram_event(int event) noexcept;

}  // namespace affix::inline v0::net
