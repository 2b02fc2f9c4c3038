// SPDX-License-Identifier: MIT
// What the settings of client and server groups mean to the network layer.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket.hpp"

#include "engine/worker_plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// More than BeginString, BodyLength and CheckSum fields of a message can have together.
inline constexpr std::int64_t frame_bytes = 256;

/// "HOST:PORT", an IPv6 address in brackets.
[[nodiscard]] std::string host_and_port(const std::string& host, std::int64_t port);

/// What a log says of a connection that was closed before it logged on.
[[nodiscard]] std::string refusal_text(std::string_view peer, std::string_view why);

[[nodiscard]] net::SocketOptions socket_options(const InstanceSettings& settings);

/// Servers, then clients.
[[nodiscard]] std::vector<const InstanceSettings*> instances_of(const Configuration& configuration);

/// How the thread waits that serves all of `instances`: as the most eager of them wishes.
[[nodiscard]] net::Wait wait_of(const std::vector<const InstanceSettings*>& instances);

/// How long it waits at most for something to happen; 0: as long as nothing is due.
[[nodiscard]] std::int64_t longest_wait_ns(const std::vector<const InstanceSettings*>& instances);

/// The limits of a reactor that serves all of `configuration`, its listeners included.
[[nodiscard]] net::ReactorOptions reactor_options(const Configuration& configuration);

/// The same of one worker among several, and of the listeners beside them.
[[nodiscard]] net::ReactorOptions reactor_options(const Configuration& configuration,
                                                  const WorkerShare& share);
[[nodiscard]] net::ReactorOptions acceptor_reactor_options(const Configuration& configuration);

}  // namespace affix::inline v0::engine
