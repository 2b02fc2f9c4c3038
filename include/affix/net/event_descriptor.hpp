// SPDX-License-Identifier: MIT
// A descriptor that is readable from raise_event() to clear_event().
#pragma once

#include "affix/net/socket.hpp"

namespace affix::inline v0::net {

/// Not open: errno has the error.
[[nodiscard]] Socket make_event() noexcept;

/// Any thread and signal handlers. One system call.
void raise_event(int event) noexcept;

/// One system call.
void clear_event(int event) noexcept;

}  // namespace affix::inline v0::net
