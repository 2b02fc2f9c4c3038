// SPDX-License-Identifier: MIT
// Options of a connection's socket, set when it is accepted or opened and during its life, and the
// time stamps that they ask for. The descriptor is the caller's.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket_options.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <sys/socket.h>
#include <time.h>

namespace affix::inline v0::net {

/// Like apply(), for an accepted socket: it is already bound to its listener's interface, and must
/// not be bound again without privileges. Allocates on error only.
[[nodiscard]] std::expected<void, base::Error> apply_to_connection(const SocketOptions& options,
                                                                   int fd);

/// Room for the control messages of one read with stamps: three time stamps; no others are
/// requested.
inline constexpr std::size_t stamp_control_bytes = CMSG_SPACE(3 * sizeof(timespec));

/// Time stamp among the control messages of a read, UTC nanoseconds: the card's if there is one,
/// else the kernel's, else 0.
[[nodiscard]] std::int64_t stamp_of(msghdr& message) noexcept;

/// Makes the kernel stamp output from here on, in addition to the options of apply(). The socket
/// must be connected and have sent nothing, so that positions count from 0: the kernel refuses one
/// that listens or is to connect. Allocates on error only.
[[nodiscard]] std::expected<void, base::Error> begin_transmit_stamps(int fd);

/// Sets TCP_QUICKACK again.
void rearm_quick_ack(int fd) noexcept;

}  // namespace affix::inline v0::net
