// SPDX-License-Identifier: MIT
// Socket options that are set again during a connection's life. For the reactors.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <expected>

namespace affix::inline v0::net {

/// Like apply(), for an accepted socket: it is bound to its listener's interface already, and may
/// not be bound again without privileges. Allocates on error only.
[[nodiscard]] std::expected<void, base::Error> apply_to_connection(const SocketOptions& options,
                                                                   const Socket& socket);

/// Sets TCP_QUICKACK again.
void rearm_quick_ack(int fd) noexcept;

}  // namespace affix::inline v0::net
