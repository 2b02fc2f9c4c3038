// SPDX-License-Identifier: MIT
// Turns settings of groups into socket, reactor and wait options.
#include "config/instance_options.hpp"

#include "affix/session/memory.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "config/descriptor_needs.hpp"
#include "config/huge_pages.hpp"
#include "config/session_options.hpp"
#include "config/tls_groups.hpp"

#include <algorithm>

namespace affix::inline v0::config {

namespace {

/// Maximum bytes read from one connection before the next one's turn: about 150 orders, a quarter
/// of a millisecond of work. With 16 KiB a flooding peer is only a twentieth slower than with 256,
/// and the others wait correspondingly less.
constexpr std::uint32_t read_bytes_per_turn = 32 * 1024;

/// Connections that are still being closed while their successors exist.
constexpr std::int64_t closing_connections = 64;

std::int64_t all_before_logon(const Configuration& configuration) {
  std::int64_t connections = 0;
  for (const ServerSettings& server : configuration.servers) {
    connections += connections_before_logon(configuration, server);
  }
  return connections;
}

/// Buffers and batches that the groups and their sessions need, for any worker.
net::ReactorOptions buffer_options(const Configuration& configuration) {
  net::ReactorOptions options;
  options.pages = pages_of(configuration.engine);
  if (!configuration.servers.empty()) {
    options.events_per_turn = 0;
  }
  for (const ServerSettings& server : configuration.servers) {
    options.events_per_turn =
        std::max(options.events_per_turn, static_cast<std::uint32_t>(server.max_poll_events));
  }
  std::int64_t rx_bytes = 0;
  for (const std::vector<SessionSettings>* sessions :
       {&configuration.sessions, &configuration.templates}) {
    for (const SessionSettings& session : *sessions) {
      // The framer's limit is on BodyLength; the fields around the body must fit as well.
      rx_bytes = std::max(rx_bytes, session.max_message_bytes + frame_bytes);
    }
  }
  for (const InstanceSettings* instance : instances_of(configuration)) {
    rx_bytes = std::max(rx_bytes, instance->rx_buffer_capacity);
    if (instance->receive_size != 0) {
      const auto size = static_cast<std::uint32_t>(instance->receive_size);
      options.read_bytes_max =
          options.read_bytes_max == 0 ? size : std::min(options.read_bytes_max, size);
    }
    options.tx_buffer_capacity =
        std::max(options.tx_buffer_capacity,
                 static_cast<std::uint32_t>(
                     outbox_size(static_cast<std::size_t>(instance->tx_encode_buffer_capacity))));
  }
  options.rx_buffer_capacity = static_cast<std::uint32_t>(rx_bytes);
  options.read_bytes_per_turn = read_bytes_per_turn;
  if (options.read_bytes_max == 0) {
    options.read_bytes_max = read_bytes_per_turn;
  }
  return options;
}

/// The reactor under TLS needs more than the TLS layer above it.
net::ReactorOptions with_encryption(const net::ReactorOptions& options,
                                    const Configuration& configuration) {
  return speaks_tls(configuration) ? tls::options_beneath_tls(options) : options;
}

/// Connections of one worker to other nodes: to two of each group, and each dialed again while the
/// former one is being closed.
std::int64_t node_connections(const Configuration& configuration) {
  constexpr std::int64_t of_a_group = 4;
  return configuration.engine.node.empty()
             ? 0
             : of_a_group * static_cast<std::int64_t>(configuration.failovers.size());
}

std::uint32_t listeners_of(const Configuration& configuration) {
  return static_cast<std::uint32_t>(
      std::max<std::size_t>(configuration.servers.size(), std::size_t{1}));
}

}  // namespace

std::string host_and_port(const std::string& host, std::int64_t port) {
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string refusal_text(std::string_view peer, std::string_view why) {
  std::string text = "connection from ";
  text += peer;
  text += " closed: ";
  text += why;
  return text;
}

net::SocketOptions socket_options(const InstanceSettings& settings, bool stamped) {
  net::SocketOptions options;
  options.no_delay = settings.disable_nagle;
  options.quick_ack = settings.quick_ack;
  options.receive_buffer_bytes = static_cast<std::uint32_t>(settings.socket_rx_size);
  options.send_buffer_bytes = static_cast<std::uint32_t>(settings.socket_tx_size);
  options.bind_interface = settings.nic_name;
  options.receive_stamps =
      settings.receive_time_stamps == ReceiveTimeStamps::None     ? net::ReceiveStamps::None
      : settings.receive_time_stamps == ReceiveTimeStamps::Kernel ? net::ReceiveStamps::Kernel
                                                                  : net::ReceiveStamps::NetworkCard;
  if (stamped) {
    options.transmit_stamps = true;
    if (options.receive_stamps == net::ReceiveStamps::None) {
      options.receive_stamps = net::ReceiveStamps::Kernel;
    }
  }
  options.busy_poll_us = static_cast<std::uint32_t>(settings.busy_poll_microseconds);
  return options;
}

std::vector<const InstanceSettings*> instances_of(const Configuration& configuration) {
  std::vector<const InstanceSettings*> instances;
  for (const ServerSettings& server : configuration.servers) {
    instances.push_back(&server);
  }
  for (const ClientSettings& client : configuration.clients) {
    instances.push_back(&client);
  }
  return instances;
}

net::Wait::Mode wait_mode(WaitMode mode) noexcept {
  if (mode == WaitMode::Spin) {
    return net::Wait::Mode::Spin;
  }
  return mode == WaitMode::SpinThenBlock ? net::Wait::Mode::SpinThenBlock : net::Wait::Mode::Block;
}

net::Wait wait_of(const std::vector<const InstanceSettings*>& instances) {
  net::Wait wait;
  for (const InstanceSettings* instance : instances) {
    const net::Wait::Mode mode = wait_mode(instance->wait_mode);
    if (mode == net::Wait::Mode::Spin ||
        (mode == net::Wait::Mode::SpinThenBlock && wait.mode == net::Wait::Mode::Block)) {
      wait.mode = mode;
    }
    wait.spin_ns = std::max(wait.spin_ns, instance->spin_microseconds * base::ns_per_us);
  }
  return wait;
}

std::int64_t longest_wait_ns(const std::vector<const InstanceSettings*>& instances) {
  std::int64_t longest_ns = 0;
  for (const InstanceSettings* instance : instances) {
    const std::int64_t wait_ns = instance->async_io_timeout_nanoseconds;
    if (wait_ns != 0 && (longest_ns == 0 || wait_ns < longest_ns)) {
      longest_ns = wait_ns;
    }
  }
  return longest_ns;
}

net::ReactorOptions reactor_options(const Configuration& configuration) {
  net::ReactorOptions options = buffer_options(configuration);
  // Sessions wait meanwhile, some 50 us for each accept.
  options.accepts_per_turn = 4;
  options.connections_max = static_cast<std::uint32_t>(
      static_cast<std::int64_t>(configuration.sessions.size() + sessions_to_come(configuration)) +
      closing_connections + node_connections(configuration) + all_before_logon(configuration));
  options.listeners_max = listeners_of(configuration);
  options.reserved_descriptors = reserved_descriptors(configuration);
  return with_encryption(options, configuration);
}

net::ReactorOptions reactor_options(const Configuration& configuration, const WorkerShare& share) {
  net::ReactorOptions options = buffer_options(configuration);
  // The connection of each session, and a second one of the same peer that waits for a decision.
  options.connections_max =
      static_cast<std::uint32_t>(2 * static_cast<std::int64_t>(share.capacity) +
                                 closing_connections + node_connections(configuration));
  return with_encryption(options, configuration);
}

net::ReactorOptions acceptor_reactor_options(const Configuration& configuration) {
  net::ReactorOptions options;
  options.connections_max =
      static_cast<std::uint32_t>(closing_connections + all_before_logon(configuration));
  options.listeners_max = listeners_of(configuration);
  options.reserved_descriptors = reserved_descriptors(configuration);
  // It reads only first messages, and sends nothing.
  options.rx_buffer_capacity = 2 * session::logon_bytes_max;
  const net::ReactorOptions of_workers = buffer_options(configuration);
  options.read_bytes_max = of_workers.read_bytes_max;
  options.events_per_turn = of_workers.events_per_turn;
  options.tx_buffer_capacity = session::logon_bytes_max;
  return with_encryption(options, configuration);
}

}  // namespace affix::inline v0::config
