// SPDX-License-Identifier: MIT
// Sends to the socket of a service manager, by the protocol of systemd's sd_notify. Does not know
// what the texts mean.
#pragma once

#include <string_view>

namespace affix::inline v0::net {

/// Sends one datagram from a new socket to `path`, which is abstract after `@`; with a duplicate of
/// `descriptor`, if that is not negative. Never waits and does not allocate. Returns 0 or errno:
/// EINVAL if the path cannot be one, EAGAIN if the manager does not read. Any thread.
[[nodiscard]] int send_notice(std::string_view path, std::string_view text,
                              int descriptor = -1) noexcept;

}  // namespace affix::inline v0::net
