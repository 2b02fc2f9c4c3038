// SPDX-License-Identifier: MIT
// Sends a packet with a descriptor beside it, to a process of the same machine.
#pragma once

#include <string_view>
#include <sys/socket.h>

namespace affix::inline v0::net {

/// Sends `bytes` as one packet on a Unix socket, with a duplicate of `descriptor` if that is not
/// negative; to `address`, or to the socket's peer without one. Never waits and does not allocate.
/// Returns 0 or errno.
[[nodiscard]] int send_with_descriptor(int socket, std::string_view bytes, int descriptor,
                                       const sockaddr* address = nullptr,
                                       socklen_t address_size = 0) noexcept;

}  // namespace affix::inline v0::net
