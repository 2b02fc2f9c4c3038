// SPDX-License-Identifier: MIT
// Translates the settings of client and server groups for the network layer.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket.hpp"

#include "config/worker_plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// Exceeds the size of a message's BeginString, BodyLength and CheckSum fields together.
inline constexpr std::int64_t frame_bytes = 256;

/// "HOST:PORT", an IPv6 address in brackets.
[[nodiscard]] std::string host_and_port(const std::string& host, std::int64_t port);

/// Log text for a connection that was closed before logon.
[[nodiscard]] std::string refusal_text(std::string_view peer, std::string_view why);

/// `stamped`: request the kernel's receive and transmit time stamps, whatever the settings.
[[nodiscard]] net::SocketOptions socket_options(const InstanceSettings& settings, bool stamped);

/// Servers, then clients.
[[nodiscard]] std::vector<const InstanceSettings*> instances_of(const Configuration& configuration);

/// The same mode of the network layer.
[[nodiscard]] net::Wait::Mode wait_mode(WaitMode mode) noexcept;

/// Wait mode of a thread that serves all of `instances`: the most eager one among theirs.
[[nodiscard]] net::Wait wait_of(const std::vector<const InstanceSettings*>& instances);

/// Maximum time that it waits for an event; 0: until the next deadline.
[[nodiscard]] std::int64_t longest_wait_ns(const std::vector<const InstanceSettings*>& instances);

/// Limits of a reactor that serves all of `configuration`, listeners included.
[[nodiscard]] net::ReactorOptions reactor_options(const Configuration& configuration);

/// Does the same for one worker of several, and for the reactor of the listeners.
[[nodiscard]] net::ReactorOptions reactor_options(const Configuration& configuration,
                                                  const WorkerShare& share);
[[nodiscard]] net::ReactorOptions acceptor_reactor_options(const Configuration& configuration);

}  // namespace affix::inline v0::config
