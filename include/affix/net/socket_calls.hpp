// SPDX-License-Identifier: MIT
// Calls for sockets that differ between systems. A socket is never inherited by another program,
// and a broken connection never raises a signal.
#pragma once

#include <cstdint>
#include <poll.h>
#include <span>
#include <string>
#include <sys/socket.h>

namespace affix::inline v0::net {

/// Whether a call on the socket may wait.
enum class Waiting : std::uint8_t { Never, Allowed };

/// The descriptor, which is the caller's; negative: errno has the error. `type` is SOCK_STREAM or
/// another.
[[nodiscard]] int make_socket(int family, int type, Waiting waiting) noexcept;

/// accept(), for a socket that never waits. The same result.
[[nodiscard]] int accept_socket(int listener, sockaddr* from, socklen_t* size) noexcept;

/// Sends and receives by this network interface only. Returns 0 or an error number.
[[nodiscard]] int use_interface(int socket, const std::string& name) noexcept;

/// bind() without a port leaves the choice of one to connect(), where the system can do that.
void choose_port_late(int socket) noexcept;

/// Bytes that the kernel has taken and the peer has not acknowledged; 0 if the system does not say.
[[nodiscard]] std::int64_t unsent_bytes(int socket) noexcept;

/// poll(): the number of descriptors with an event, or -1. Returns after `timeout_ns` at the
/// earliest, 0: at once.
[[nodiscard]] int wait_for_events(std::span<pollfd> descriptors, std::int64_t timeout_ns) noexcept;

}  // namespace affix::inline v0::net
