// SPDX-License-Identifier: MIT
// Socket options that are set again during a connection's life. For the reactors.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <sys/socket.h>
#include <time.h>

namespace affix::inline v0::net {

/// Like apply(), for an accepted socket: it is bound to its listener's interface already, and may
/// not be bound again without privileges. Allocates on error only.
[[nodiscard]] std::expected<void, base::Error> apply_to_connection(const SocketOptions& options,
                                                                   const Socket& socket);

/// Room for the control messages of one read with stamps: three time stamps, and nothing else is
/// asked for.
inline constexpr std::size_t stamp_control_bytes = CMSG_SPACE(3 * sizeof(timespec));

/// The stamp among the control messages of a read, UTC nanoseconds: the card's if there is one,
/// else the kernel's, else 0.
[[nodiscard]] std::int64_t stamp_of(msghdr& message) noexcept;

/// Sets TCP_QUICKACK again.
void rearm_quick_ack(int fd) noexcept;

}  // namespace affix::inline v0::net
